// What the page asks its server.

export async function ask(path, options) {
  const answer = await fetch(path, { cache: "no-store", ...options });
  let said = null;
  try {
    said = await answer.json();
  } catch {
    throw new Error(`The server gave no answer to ${path}.`);
  }
  if (!answer.ok) throw new Error(said.error || `status ${answer.status}`);
  return said;
}

// Favourites of a study; changed() is called when the list is another one.
export class Keeper {
  constructor(id, changed) {
    this.path = `/api/${id}/favourites`;
    this.changed = changed;
    this.list = new Map();
    this.canWrite = false;
    this.why = "To keep favourites, open the address that the server printed when it started.";
  }

  async read() {
    try {
      const { list, can_write: canWrite } = await ask(this.path);
      this.canWrite = canWrite;
      this.take(list);
    } catch (error) {
      this.why = error.message;
      this.changed();
    }
  }

  take(list) {
    this.list = new Map(list.map((one) => [one.number, one]));
    this.changed();
  }

  async keep(number, note) {
    const { list } = await ask(`${this.path}?number=${number}`, { method: "PUT",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify({ note }) });
    this.take(list);
  }

  async drop(number) {
    const { list } = await ask(`${this.path}?number=${number}`, { method: "DELETE" });
    this.take(list);
  }
}
