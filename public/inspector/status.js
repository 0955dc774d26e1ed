// What a screen says of itself besides its rows and actions.

/** A sentence: that it loads, how it failed, or what else its message is; empty where there is nothing to say. */
export function statusText({ status = "ready", message = null }) {
  if (status === "failed") return message === null ? "This failed." : `Failed: ${closed(message)}`;
  if (message === null) return status === "loading" ? "Loading…" : "";
  return closed(message);
}

/** A text with a mark at its end. */
function closed(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
