// Asks before something is done.

import { setText, setTexts } from "./element.js";

const dialog = document.getElementById("confirmation");
const agree = document.getElementById("agree");
const refuse = document.getElementById("refuse");
let decide = null;

function close(agreed) {
  const decided = decide;
  decide = null;
  if (dialog.open) {
    dialog.close();
  }
  decided?.(agreed);
}

agree.addEventListener("click", () => close(true));
refuse.addEventListener("click", () => close(false));
dialog.addEventListener("close", () => close(false));

/** Returns a promise of whether it was agreed to. What does not destroy anything is agreed to with Enter alone. */
export function confirmed({ question, consequence, concerned = [], answer, dangerous }) {
  setText(document.getElementById("question"), question);
  setText(document.getElementById("consequence"), consequence);
  setTexts(document.getElementById("concerned"), "li", concerned);
  setText(agree, answer);
  agree.className = dangerous ? "danger" : "";
  dialog.showModal();
  (dangerous ? refuse : agree).focus();
  return new Promise((resolve) => {
    decide = resolve;
  });
}
