// The requests that the page makes.

let session = null;

/** A request that was answered with a refusal, or with nothing. */
export class RequestFailed extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function ask(address, options = {}) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", redirect: "error", cache: "no-store", ...options });
  } catch {
    throw new RequestFailed("nothing answers", 0);
  }
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    // Not ours: the server's own page for an error.
  }
  if (!response.ok || answer === null) {
    throw new RequestFailed(answer?.error ?? "the answer was " + response.status, response.status);
  }
  return answer;
}

/** Who is logged in. */
export async function logIn() {
  session = await ask("session.json");
  return session;
}

export function state(query) {
  return ask("state.json?" + new URLSearchParams(query));
}

/** Asks for something that changes something. */
export function command(name, parameters = {}) {
  return ask(name + ".json", {
    method: "POST",
    headers: { "X-Verbena-Token": session?.token ?? "" },
    body: new URLSearchParams(parameters),
  });
}
