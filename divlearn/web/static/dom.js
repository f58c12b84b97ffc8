// Elements, made without a line of HTML: whatever a study says stays text.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in { value: 0, checked: 0, disabled: 0, textContent: 0 }) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const ENDLESS = 100;

// Text of users: its direction is its own, and does not turn what stands around it.
// A long one gets a place in which it scrolls, by keyboard too.
export function said(text) {
  const words = String(text);
  const endless = words.length > ENDLESS;
  return h("bdi", { class: endless ? "endless" : null, tabindex: endless ? "0" : null }, words);
}

// The same inside of a button, a link or a tip, which is cut instead.
export function cut(text) {
  return h("bdi", { class: "cut" }, String(text));
}

export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c || c === 0));
  return element;
}

// Replace what is shown only where it differs, so that focus and selection stay.
export function putOnce(element, key, make) {
  if (element.shownKey === key) return;
  element.shownKey = key;
  put(element, make());
}

let cards = 0;

export function card(title, ...children) {
  cards += 1;
  const id = `card-${cards}`;
  return h("section", { class: "card", "aria-labelledby": id },
    h("h2", { id }, title), ...children);
}

export function button(text, action, attributes) {
  return h("button", { type: "button", onclick: action, ...attributes }, text);
}

export function select(label, options, value, change) {
  const control = h("select", { onchange: () => change(control.value) },
    options.map(([key, text]) => h("option", { value: key }, text)));
  control.value = value;
  return h("label", { class: "field" }, h("span", null, label), control);
}

export function download(name, type, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
