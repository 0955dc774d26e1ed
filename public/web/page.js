// @ts-check
// What the module needs to know of a page.

/**
 * The version that a page shows; `null` if it shows none, like a page with a message.
 * @param {{ body: { dataset: Record<string, string | undefined> } }} page
 * @returns {number | null}
 */
export function shownVersion(page) {
  const version = page.body.dataset.version;
  return version === undefined ? null : Number(version);
}

/**
 * The version that a page shows, and the mark of its session, as the server takes both together.
 * @param {{ body: { dataset: Record<string, string | undefined> } }} page
 */
export const moment = ({ body }) => `${body.dataset.version ?? 0}.${body.dataset.session ?? ""}`;

/**
 * Whether a message of the stream is about a later version than the page's.
 * @param {string} id
 * @param {number | null} version
 */
export function isNewer(id, version) {
  return version !== null && /^\d+$/.test(id) && Number(id) > version;
}

/**
 * The body that a browser sends for a form.
 * @param {HTMLFormElement} form
 */
export function formBody(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  return body;
}

/**
 * The body of the form in whose place there is a link.
 * @param {Record<string, string | undefined>} link
 * @param {Record<string, string | undefined>} page
 */
export function pressBody(link, page) {
  const { event = "", payload = "{}" } = link;
  const { version = "", session = "" } = page;
  return new URLSearchParams({ event, payload, version, session });
}

/**
 * Whether a click only follows a link: it opens no tab or window, and saves nothing.
 * @param {any} event
 * @param {any} link
 * @returns {boolean}
 */
export function isPlainClick(event, link) {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !isModified && !event.defaultPrevented && link.target === "" && !link.download;
}

/**
 * What a link or a control of a form is called on every version of a page: by where it leads, or by what its form sends
 * and its own name. `null` for any other element.
 * @param {any} control
 * @returns {string | null}
 */
export function identity(control) {
  if (control?.localName === "a") return control.dataset.payload ?? control.href;
  const form = control?.form;
  if (!form) return null;
  const { event, payload } = form.elements;
  return JSON.stringify([event?.value, payload?.value, control.localName, control.name]);
}

/**
 * What a link or a control says, and of which row: that of a button whose event has changed.
 * @param {any} control
 */
export const label = (control) =>
  JSON.stringify([control?.localName, control?.textContent, control?.getAttribute?.("aria-describedby")]);

/**
 * Whether a user has changed a control since its page was loaded.
 * @param {any} control
 * @returns {boolean}
 */
export function isChanged(control) {
  if (control.type === "checkbox") return control.checked !== control.defaultChecked;
  if (control.options === undefined) return control.value !== control.defaultValue;
  const options = [...control.options];
  // Browsers select the first entry of a menu if none is.
  const isMenu = !control.multiple && !options.some((option) => option.defaultSelected);
  return options.some((option, index) => option.selected !== (option.defaultSelected || (isMenu && index === 0)));
}

/**
 * Whether the answer to a press says nothing of the app: the server did not accept it, and the same press can be sent
 * again.
 * @param {number} status
 * @param {boolean} isPage
 */
export function isUnsent(status, isPage) {
  return !isPage || status === 413 || status === 429 || status >= 500;
}

/**
 * What a user has entered in controls, by their identities. Passwords are left out.
 * @param {any[]} controls
 * @returns {Map<string | null, any>}
 */
export function entered(controls) {
  const changed = controls.filter(
    (control) => control.localName !== "button" && !["hidden", "password"].includes(control.type) && isChanged(control),
  );
  return new Map(changed.map((control) => [identity(control), entry(control)]));
}

/**
 * Enters the same in the same controls.
 * @param {any[]} controls
 * @param {Map<string | null, any>} entries
 */
export function refill(controls, entries) {
  for (const control of controls) {
    const entry = entries.get(identity(control));
    if (entry === undefined) continue;
    if (control.type === "checkbox") control.checked = entry;
    else if (control.options === undefined) control.value = entry;
    else for (const option of control.options) option.selected = entry.includes(option.value);
  }
}

const entry = (control) => {
  if (control.type === "checkbox") return control.checked;
  if (control.options === undefined) return control.value;
  return [...control.options].filter((option) => option.selected).map((option) => option.value);
};
