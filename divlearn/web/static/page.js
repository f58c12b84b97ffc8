// The page: which study is open, and what is new.

import { put } from "./dom.js";
import { ask } from "./server.js";
import { StudyList } from "./studies.js";
import { OneStudy } from "./onestudy.js";

const main = document.getElementById("main");
const line = document.getElementById("status");
let heads = [];
let seen = new Map();
let list = null;
let open = null;

function told(text, lost) {
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("lost", Boolean(lost));
}

function route() {
  const id = window.location.hash.replace(/^#\/?/, "");
  if (/^[0-9a-f]{12}$/.test(id)) {
    open = new OneStudy(id);
    list = null;
    put(main, open.element);
    open.update();
  } else {
    open = null;
    list = new StudyList();
    put(main, list.element);
    list.show(heads, Date.now() / 1000);
    document.title = "divlearn";
  }
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

function take(data) {
  heads = data.heads;
  const running = heads.filter((head) => head.state === "running").length;
  told(running ? `${running} running` : "up to date");
  const fresh = new Map(heads.map((head) => [head.id, JSON.stringify(head)]));
  if (list) list.show(heads, data.now);
  if (open && fresh.get(open.id) !== seen.get(open.id)) open.update();
  seen = fresh;
}

function listen() {
  const events = new EventSource("/api/events");
  events.onmessage = (event) => take(JSON.parse(event.data));
  events.onerror = () => {
    told("The server does not answer; trying again.", true);
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

window.addEventListener("hashchange", route);
ask("/api/heads").then(take, (error) => told(error.message, true)).then(() => {
  route();
  listen();
});
