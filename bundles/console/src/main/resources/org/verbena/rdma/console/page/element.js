// Everything on the page is made here: text goes in as text, whoever it comes from, and never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element; of its properties `text`, `class` and `data` are special, the others are attributes. */
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** Makes an element of SVG. */
export function drawing(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") {
      made.textContent = value;
    } else if (name === "data") {
      Object.assign(made.dataset, value);
    } else if (value !== undefined && value !== null) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

/** Sets a text, if it is another one: what does not change is not drawn, and not read out, again. */
export function setText(to, text) {
  const wanted = String(text);
  if (to.textContent !== wanted) {
    to.textContent = wanted;
  }
}

/** Sets or removes an attribute, if that changes it. */
export function setAttribute(to, name, value) {
  if (value === null || value === undefined || value === "") {
    if (to.hasAttribute(name)) {
      to.removeAttribute(name);
    }
  } else if (to.getAttribute(name) !== String(value)) {
    to.setAttribute(name, value);
  }
}

/** Makes the children of an element those given, in that order, moving as few as possible. */
export function setChildren(parent, children) {
  children.forEach((child, index) => {
    if (parent.children[index] !== child) {
      parent.insertBefore(child, parent.children[index] ?? null);
    }
  });
  while (parent.children.length > children.length) {
    parent.lastElementChild.remove();
  }
}

/** Makes the children of an element short texts, each in an element of that name. */
export function setTexts(parent, name, texts) {
  while (parent.children.length > texts.length) {
    parent.lastElementChild.remove();
  }
  while (parent.children.length < texts.length) {
    parent.append(document.createElement(name));
  }
  texts.forEach((text, index) => setText(parent.children[index], text));
}
