const module0 = (() => {

const $ = (id) => ((document.getElementById(id)));
function make(name, properties = {}, ...children) {
const element = (document.createElement(name));
for (const [key, value] of Object.entries(properties)) {
if (key in element) (element)[key] = value;
else element.setAttribute(key, value);
}
element.append(...children.filter(isThere));
return element;
}
function draw(name, attributes = {}, ...children) {
const element = document.createElementNS("http://www.w3.org/2000/svg", name);
for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
element.append(...children.filter(isThere));
return (element);
}
const isThere = (child) => child !== null;
function icon(name) {
return draw("svg", { class: "icon", "aria-hidden": "true" }, draw("use", { href: `#icon-${name}` }));
}
function keyed(parent, items, keyOf, create, update) {
const keys = distinct(items.map((item) => String(keyOf(item))));
const wanted = new Set(keys);
const known = new Map();
for (const child of ([...parent.children])) {
const { key } = child.dataset;
if (key !== undefined && wanted.has(key)) known.set(key, child);
else child.remove();
}
let next = parent.firstElementChild;
for (const [index, item] of items.entries()) {
const key = keys[index];
const element = known.get(key) ?? (create(item));
element.dataset.key = key;
if (element === next) next = next.nextElementSibling;
else parent.insertBefore(element, next);
update(element, item);
}
}
function distinct(keys) {
const seen = new Map();
return keys.map((key) => {
const count = seen.get(key) ?? 0;
seen.set(key, count + 1);
return count === 0 ? key : `${key} ${count}`;
});
}
function setText(element, text) {
if (element.textContent !== text) element.textContent = text;
}
function setAttribute(element, name, value) {
if (value === null) element.removeAttribute(name);
else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}
return { $, make, draw, icon, keyed, distinct, setText, setAttribute };
})();
const module1 = (() => {

const scopes = [
{
name: "page",
title: "Anywhere",
keys: [
{ action: "help", keys: ["?"], does: "Show this help" },
{ action: "leave", keys: ["Escape"], does: "Close what is open, or go back to now" },
],
},
{
name: "address",
title: "In the address",
keys: [
{ action: "next", keys: ["ArrowDown"], does: "Next known path" },
{ action: "previous", keys: ["ArrowUp"], does: "Previous known path" },
{ action: "take", keys: ["Enter"], does: "Open the path, or fill in the selected pattern" },
{ action: "leave", keys: ["Escape"], does: "Close the list, or show the session’s path again" },
],
},
{
name: "list",
title: "In the tree and the journal",
keys: [
{ action: "previous", keys: ["ArrowUp"], does: "Item above" },
{ action: "next", keys: ["ArrowDown"], does: "Item below" },
{ action: "first", keys: ["Home"], does: "First item" },
{ action: "last", keys: ["End"], does: "Last item" },
],
},
{
name: "entry",
title: "In an entry of the journal",
keys: [
{ action: "next", keys: ["ArrowRight"], does: "Its next button: edit, copy, JSON" },
{ action: "previous", keys: ["ArrowLeft"], does: "Its previous button" },
],
},
{
name: "tree",
title: "In the tree",
keys: [
{ action: "press", keys: ["Enter", " "], does: "Send an event from the coordinator" },
{ action: "out", keys: ["ArrowLeft"], does: "Go to the parent" },
{ action: "in", keys: ["ArrowRight"], does: "Go to the first child" },
],
},
{
name: "tabs",
title: "In the app’s tabs",
keys: [
{ action: "previous", keys: ["ArrowLeft"], does: "Tab to the left" },
{ action: "next", keys: ["ArrowRight"], does: "Tab to the right" },
{ action: "first", keys: ["Home"], does: "First tab" },
{ action: "last", keys: ["End"], does: "Last tab" },
],
},
{
name: "journal",
title: "In the journal’s filter and menu",
keys: [{ action: "leave", keys: ["Escape"], does: "Close it" }],
},
{
name: "form",
title: "In a form below a row",
keys: [{ action: "leave", keys: ["Escape"], does: "Close the form" }],
},
{
name: "find",
title: "In the event search",
keys: [
{ action: "next", keys: ["ArrowDown"], does: "Next event" },
{ action: "previous", keys: ["ArrowUp"], does: "Previous event" },
{ action: "take", keys: ["Enter"], does: "Go to the payload" },
],
},
{
name: "map",
title: "On the map",
keys: [
{ action: "left", keys: ["ArrowLeft"], does: "Screen to the left" },
{ action: "right", keys: ["ArrowRight"], does: "Screen to the right" },
{ action: "up", keys: ["ArrowUp"], does: "Screen above" },
{ action: "down", keys: ["ArrowDown"], does: "Screen below" },
{ action: "first", keys: ["Home"], does: "Start of the app" },
{ action: "here", keys: ["End"], does: "The session’s screen" },
{ action: "press", keys: ["Enter", " "], does: "Go to the selected screen" },
{ action: "closer", keys: ["+", "="], does: "Zoom in" },
{ action: "farther", keys: ["-", "−"], does: "Zoom out" },
{ action: "all", keys: ["0"], does: "Show the whole map" },
{ action: "leave", keys: ["Escape"], does: "Close the map" },
],
},
];
function actionOf(name, { key, ctrlKey, metaKey, altKey }) {
if (ctrlKey || metaKey || altKey) return null;
const scope = scopes.find((each) => each.name === name);
return scope?.keys.find(({ keys }) => keys.includes(key))?.action ?? null;
}
const signs = {
ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space",
};
const signOf = (key) => signs[key] ?? key;
return { scopes, actionOf, signOf };
})();
const module2 = (() => {

const { $, keyed, make, setAttribute, setText } = module0;
const { actionOf } = module1;
class AddressBar {
#patterns = [];
#chosen = -1;
#path = "";
#isEdited = false;
#isOpening = false;
#isRefused = false;
constructor({ open }) {
const input = $("address");
$("address-form").addEventListener("submit", async (event) => {
event.preventDefault();
this.#close();
if (this.#isOpening) return;
this.#isOpening = true;
const path = input.value;
const isOpened = await open(path.trim()).finally(() => { this.#isOpening = false; });
if (input.value !== path) return;
this.#isEdited = !isOpened;
this.#setRefused(!isOpened);
});
$("address-form").addEventListener("focusout", ({ relatedTarget }) => {
if (document.hasFocus() && !$("address-form").contains(relatedTarget) && !this.#isRefused) {
this.#revert();
}
});
input.addEventListener("focus", () => input.select());
input.addEventListener("click", () => this.#suggest(this.#patterns));
input.addEventListener("input", () => {
this.#isEdited = true;
this.#setRefused(false);
this.#suggestFitting();
});
input.addEventListener("blur", () => this.#close());
input.addEventListener("keydown", (event) => this.#pressed(event));
$("suggestions").addEventListener("mousedown", (event) => {
event.preventDefault();
const option = event.target.closest("[role=option]");
if (option) this.use(option.textContent);
});
}
suggestPatterns(patterns) {
this.#patterns = patterns;
if (this.#isEdited && !this.#isOpening && document.activeElement === $("address")) this.#suggestFitting();
}
show(path, isWritable) {
const isElsewhere = path !== this.#path;
this.#path = path;
if (!this.#isEdited || (this.#isRefused && isElsewhere)) this.#revert();
$("address").disabled = !isWritable;
$("address-go").disabled = !isWritable;
}
use(pattern) {
const input = $("address");
input.focus();
input.value = pattern;
this.#isEdited = true;
this.#setRefused(false);
const blank = blankIn(pattern);
if (blank) input.setSelectionRange(blank.index, blank.index + blank[0].length);
this.#close();
}
#pressed(event) {
const options = [...$("suggestions").children];
const isOpen = !$("suggestions").hidden;
const action = actionOf("address", event);
if (action === "next" || action === "previous") {
event.preventDefault();
if (!isOpen) return this.#suggest(this.#patterns);
const next = action === "next" ? this.#chosen + 1 : Math.max(this.#chosen, 0) - 1;
this.#choose((next + options.length) % options.length);
} else if (action === "leave" && isOpen) {
event.stopPropagation();
this.#close();
} else if (action === "leave" && this.#isEdited) {
event.stopPropagation();
this.#revert();
} else if (action === "take" && isOpen && this.#chosen >= 0) {
event.preventDefault();
const pattern = options[this.#chosen].textContent;
this.use(pattern);
if (!blankIn(pattern)) $("address-form").requestSubmit();
}
}
#revert() {
this.#isEdited = false;
this.#setRefused(false);
if ($("address").value !== this.#path) $("address").value = this.#path;
}
#setRefused(isRefused) {
this.#isRefused = isRefused;
setAttribute($("address"), "aria-invalid", isRefused ? "true" : null);
}
#suggestFitting() {
const text = $("address").value.trim();
this.#suggest(this.#patterns.filter((pattern) => pattern.includes(text)));
}
#suggest(patterns) {
keyed($("suggestions"), patterns, (pattern) => pattern, () => make("li", { role: "option" }), setText);
[...$("suggestions").children].forEach((option, index) => { option.id = `suggestion-${index}`; });
$("suggestions").hidden = patterns.length === 0;
setAttribute($("address"), "aria-expanded", patterns.length > 0);
this.#choose(-1);
}
#choose(index) {
this.#chosen = index;
[...$("suggestions").children].forEach((option, at) => setAttribute(option, "aria-selected", at === index));
const option = $("suggestions").children[index];
setAttribute($("address"), "aria-activedescendant", option?.id ?? null);
option?.scrollIntoView({ block: "nearest" });
}
#close() {
$("suggestions").hidden = true;
setAttribute($("address"), "aria-expanded", false);
this.#choose(-1);
}
}
function blankIn(pattern) {
return /\{[^}]*\}/.exec(pattern);
}
return { AddressBar };
})();
const module3 = (() => {

const keptDigits = 15;
class ExactNumber {
constructor(text) {
this.text = text;
}
toString() {
return this.text;
}
}
function numberIn(text) {
const number = Number(text);
const digits = text.replace(/[eE].*/, "").replace(/\D/g, "").replace(/^0+/, "");
const isKept = Number.isFinite(number) && (digits.length <= keptDigits || String(number) === text);
return isKept ? number : new ExactNumber(text);
}
function isNumber(text) {
return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}
function readJSON(text) {
if (!/[\d.]{16}|\d[eE]/.test(text)) return JSON.parse(text);
JSON.parse(text);
const mark = unusedIn(text);
const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
if (token.startsWith('"') || !(numberIn(token) instanceof ExactNumber)) return token;
return `{"${mark}":"${token}"}`;
});
return JSON.parse(marked, (_, value) => (
typeof value?.[mark] === "string" ? new ExactNumber(value[mark]) : value));
}
function writeJSON(value, indent) {
let hasExact = false;
const note = (_, each) => {
hasExact ||= each instanceof ExactNumber;
return each;
};
const plain = JSON.stringify(value, note, indent);
if (!hasExact) return plain;
const mark = unusedIn(plain);
const marked = JSON.stringify(value, (_, each) => (each instanceof ExactNumber ? mark + each.text : each), indent);
return marked.replace(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}
function unusedIn(text) {
let word = "number";
while (text.includes(word)) word += "_";
return word;
}
return { ExactNumber, numberIn, isNumber, readJSON, writeJSON };
})();
const module4 = (() => {

const { readJSON, writeJSON } = module3;
const patience = 45_000;
const noAnswer = "No answer";
class Problem extends Error {
constructor(details) {
super(details.detail ?? details.title);
this.type;
this.title;
this.status;
this.isUnauthorized;
Object.assign(this, details);
}
get isUnknownSession() {
return this.type === "/problems/session-not-found";
}
get isNoAnswer() {
return this.status === undefined && this.title === noAnswer;
}
get isConflict() {
return this.type === "/problems/version-conflict";
}
get isChangedApp() {
return ["/problems/app-changed", "/problems/damaged"].includes(this.type ?? "");
}
}
const startSession = (options) => send("POST", "/sessions", options && { options });
const endSession = (id) => send("DELETE", address(id));
const fork = (id, version, withholdsWork = false) =>
send("POST", `${address(id)}/forks`, { version, ...(withholdsWork && { work: "withheld" }) });
const replay = (id, version, edit) => send("POST", `${address(id)}/forks`, { version, edit });
const session = (id) => send("GET", address(id));
const changeSession = (id, changes) => send("PATCH", address(id), changes);
async function isUnused(id) {
try {
return (await session(id)).version === 0;
} catch (problem) {
if (problem instanceof Problem && problem.isUnknownSession) return false;
throw problem;
}
}
const openPath = (id, path, key) => turn("PUT", routeAddress(id), { path }, key);
async function catalog() {
const { document, headers } = await exchange("GET", "/catalog");
const link = headers.get("Link");
return { document, cookie: link?.startsWith("</app>") ? (/cookie="([^"]*)"/.exec(link)?.[1] ?? "session") : null };
}
async function isOwnSession(id) {
const answer = fetch("/route", { method: "HEAD", headers: { Session: id }, cache: "no-store" });
return (await answer.catch(() => null))?.ok ?? false;
}
const route = (id, version, signal) => send("GET", routeAddress(id, version), undefined, undefined, { signal });
async function taggedRoute(id) {
const { document, headers } = await exchange("GET", routeAddress(id));
return { route: document, tag: headers.get("ETag") };
}
function emit(id, request, key, tag = null) {
return turn("POST", eventsAddress(id), request, key, tag === null ? {} : { "If-Match": tag });
}
async function turn(method, path, body, key, headers = {}) {
const { document, headers: told } = await exchange(method, path, body, key, {
headers: { ...headers, Prefer: "timing" },
});
return { outcome: document, duration: turnDuration(told.get("Server-Timing")) };
}
function turnDuration(header) {
const text = /(?:^|,) *turn;dur=(\d+(?:\.\d+)?)/.exec(header ?? "")?.[1];
return text === undefined ? undefined : Number(text);
}
function settledRoute(id) {
return send("GET", `${routeAddress(id)}?until=settled`, undefined, undefined, { headers: { Prefer: "wait=20" } });
}
async function sessions({ key, reference, ...query }) {
const [page, ...named] = await Promise.all([
send("GET", `/sessions?${new URLSearchParams(query)}`), sessionBy("key", key), sessionBy("reference", reference),
]);
const isMeant = (session) => session !== null && (query.state ?? session.state) === session.state;
return { ...page, sessions: [...named.filter(isMeant), ...page.sessions] };
}
async function sessionBy(name, value) {
if (value === undefined) return null;
try {
return await send("GET", `/sessions/by-${name}/${encodeURIComponent(value)}`);
} catch (problem) {
if (problem.status === 404) return null;
throw problem;
}
}
const logOut = () => send("POST", "/logout");
const logIn = (key) => send("POST", "/login", { key });
async function map() {
const { status, headers, document } = await exchange("GET", "/map");
if (status !== 202) return { document, delay: 0 };
return { document: null, delay: Number(headers.get("Retry-After")) || 1 };
}
let askForKey = () => {};
const whenKeyIsWanted = (action) => { askForKey = action; };
let noteAnswer = () => {};
const whenAnswered = (action) => { noteAnswer = action; };
let lead = 0;
const serverTime = () => Date.now() + lead;
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
async function journal(id, after, limit) {
return (await send("GET", `${eventsAddress(id)}?after=${after}&limit=${limit}`)).events;
}
async function exportedJournal(id) {
const answer = await fetch(eventsAddress(id), { headers: { Accept: lines }, cache: "no-store" }).catch(() => null);
const text = await answer?.text().catch(() => null);
if (answer?.ok && text) return text;
throw problemOf(answer, answer?.ok ? null : documentIn(text));
}
async function journalHeader(id) {
const { ok, body } = await fetch(eventsAddress(id), { headers: { Accept: lines }, cache: "no-store" });
if (body === null) return null;
const reader = body.pipeThrough(new TextDecoderStream()).getReader();
let text = "";
while (!text.includes("\n")) {
const { value, done } = await reader.read();
if (done) break;
text += value;
}
await reader.cancel();
return ok ? readJSON(text.split("\n")[0]) : null;
}
function importJournal(text) {
return send("POST", "/sessions", text, undefined, { headers: { "Content-Type": lines } });
}
const lines = "application/x-ndjson";
const eventsAddress = (id) => `${address(id)}/events`;
function routeAddress(id, version) {
return `${address(id)}/route${version === undefined ? "" : `?version=${version}`}`;
}
const address = (id) => `/sessions/${encodeURIComponent(id)}`;
async function send(...request) {
return (await exchange(...request)).document;
}
async function exchange(method, path, body, key, { headers: more, signal } = {}) {
const headers = {
...(body !== undefined && { "Content-Type": "application/json" }),
...more,
...(key !== undefined && { "Idempotency-Key": key }),
};
const text = typeof body === "string" ? body : body && writeJSON(body);
const signals = AbortSignal;
const limit = signals.timeout(patience);
const request = {
method, headers, body: text, cache: "no-store",
signal: signal ? signals.any([signal, limit]) : limit,
};
const asked = Date.now();
const answer = await fetch(path, request).catch(() => null);
if (answer) noteAnswer();
readClock(answer, Date.now() - asked);
if (answer?.status === 204) return { status: 204, headers: answer.headers, document: null };
const document = await answer?.text().then(documentIn).catch(() => null);
if (answer?.ok && document) return { status: answer.status, headers: answer.headers, document };
throw problemOf(answer, document);
}
function documentIn(text) {
try {
return readJSON(text);
} catch {
return null;
}
}
function problemOf(answer, document) {
if (!answer || answer.ok) {
return new Problem({ title: noAnswer, detail: "The server does not answer. Check that it is running." });
}
const isUnauthorized = answer.headers.has("WWW-Authenticate");
if (isUnauthorized) askForKey();
return new Problem({
title: `${answer.status} ${answer.statusText}`, status: answer.status, ...document, isUnauthorized,
});
}
function readClock(answer, duration) {
const error = Date.parse(answer?.headers.get("Date")) - serverTime();
if (Math.abs(error) > 2000 + duration) lead += error;
}
return { Problem, startSession, endSession, fork, replay, session, changeSession, isUnused, openPath, catalog, isOwnSession, route, taggedRoute, emit, turnDuration, settledRoute, sessions, logOut, logIn, map, whenKeyIsWanted, whenAnswered, serverTime, newKey, journal, exportedJournal, journalHeader, importJournal, eventsAddress, routeAddress };
})();
const module5 = (() => {

const unnoticed = 150;
async function showBusy(button, work) {
const timer = setTimeout(() => button?.setAttribute("aria-busy", "true"), unnoticed);
try {
return await work;
} finally {
clearTimeout(timer);
button?.removeAttribute("aria-busy");
}
}
return { showBusy };
})();
const module6 = (() => {

function isSendable({ origin }) {
return origin !== "app";
}
function likelyOutcome(events) {
return events.find((event) => !isSendable(event)) ?? events[0];
}
class Catalog {
constructor({ app = "", events = [], paths = [], options = [] } = {}) {
this.app = app;
this.events = events;
this.paths = paths;
this.options = options;
}
allows(name) {
return isSendable(this.#event(name) ?? {});
}
filledIn({ event, payload: told, at }) {
const payload = told ?? {};
const fields = Object.entries(this.#event(event)?.payload ?? {});
const secrets = fields.filter(([name, { secret, required }]) => secret && required !== false && !(name in payload));
return { event, payload: { ...payload, ...Object.fromEntries(secrets.map(([name]) => [name, "secret"])) }, at };
}
withoutSecrets(request) {
const payload = concealed(request.payload ?? {}, { fields: this.#event(request.event)?.payload }, "payload");
return { ...request, payload };
}
#event(name) {
return this.events.find((event) => event.name === name);
}
}
function holdsSecret({ secret, fields, items }) {
return secret === true || Object.values(fields ?? {}).some(holdsSecret) || (items ? holdsSecret(items) : false);
}
function concealed(value, type, name) {
if (!holdsSecret(type)) return value;
const { items } = type;
if (items && Array.isArray(value)) return value.map((item) => concealed(item, items, name));
if (type.fields && value?.constructor === Object) return concealedFields(value, type.fields);
return `<${name}>`;
}
function concealedFields(values, fields) {
const result = { ...values };
for (const [name, type] of Object.entries(fields)) {
if (name in values || (type.secret && type.required !== false)) result[name] = concealed(values[name], type, name);
}
return result;
}
return { isSendable, likelyOutcome, Catalog, holdsSecret };
})();
const module7 = (() => {

const { ExactNumber, writeJSON } = module3;
const maximumDepth = 512;
function contentOf({ session, version, ...content }) {
return content;
}
function compared(older, newer) {
const changes = [];
const lines = [];
function pair(name, [before, after], [olderPath, newerPath], depth) {
const line = { depth, name, left: textOf(name, before), right: textOf(name, after), mark: null, leads: false };
lines.push(line);
const kind = kindOf(before);
if (kind === kindOf(after) && kind !== "value" && depth < maximumDepth) {
for (const member of matched(membersOf(before), membersOf(after))) {
const below = member.before && member.after
? pair(member.after.name, [member.before.value, member.after.value],
[[...olderPath, member.before.step], [...newerPath, member.after.step]], depth + 1)
: single(member, olderPath, newerPath, depth + 1);
line.leads ||= below;
}
} else if (!isSame(before, after)) {
changes.push({ pointer: pointer(newerPath), from: before, to: after });
Object.assign(line, { mark: "changed", leads: true });
list(before, "left", depth + 1, "gone");
list(after, "right", depth + 1, "new");
}
return line.leads;
}
function single({ before, after }, olderPath, newerPath, depth) {
const { name, step, value } = before ?? after;
const isNoDifference = value === null;
const [side, mark] = before ? ["left", "gone"] : ["right", "new"];
lines.push({
depth, name, left: null, right: null, mark: isNoDifference ? null : mark, leads: !isNoDifference,
[side]: textOf(name, value),
});
if (isNoDifference) return false;
changes.push(before
? { pointer: pointer([...olderPath, step]), from: value, to: null }
: { pointer: pointer([...newerPath, step]), from: null, to: value });
list(value, side, depth + 1, mark);
return true;
}
function list(value, side, depth, mark) {
if (kindOf(value) === "value" || depth > maximumDepth) return;
for (const { name, value: member } of membersOf(value)) {
lines.push({ depth, name, left: null, right: null, mark, leads: true, [side]: textOf(name, member) });
list(member, side, depth + 1, mark);
}
}
pair("", [older, newer], [[], []], -1);
return { changes, lines: lines.slice(1) };
}
function matched(older, newer) {
const pairs = new Map(newer.map((after) => [after, { after }]));
const found = new Map();
for (const nameOf of [({ key }) => key, ({ title }) => title, ({ title, step }) => title && step]) {
const free = new Map(newer.filter((after) => !pairs.get(after).before).map((after) => [nameOf(after), after]));
for (const before of older) {
const after = free.get(nameOf(before) ?? null);
if (!after || found.has(before)) continue;
free.delete(nameOf(before));
pairs.get(after).before = before;
found.set(before, after);
}
}
const gone = new Map();
let last = null;
for (const before of older) {
if (found.has(before)) last = found.get(before);
else gone.set(last, [...(gone.get(last) ?? []), { before }]);
}
const rest = (after) => gone.get(after) ?? [];
return [...rest(null), ...newer.flatMap((after) => [pairs.get(after), ...rest(after)])];
}
function membersOf(container) {
if (!Array.isArray(container)) {
return Object.entries(container).map(([name, value]) => ({ key: name, step: name, name, value }));
}
const counts = new Map();
return container.map((value, index) => {
const id = isID(value?.id) ? value.id : null;
const isAction = id === null && typeof value?.event === "string";
const kind = writeJSON(isAction ? [value.event, value.payload] : id);
const count = counts.get(kind) ?? 0;
counts.set(kind, count + 1);
const name = id === null ? `[${index}]` : `[${id}]`;
return { key: `${kind} ${count}`, step: String(index), name, value, ...(isAction && { title: value.title }) };
});
}
function isID(id) {
return typeof id === "string" || Number.isInteger(id) || (id instanceof ExactNumber && /^-?\d+$/.test(id.text));
}
function kindOf(value) {
if (Array.isArray(value)) return "array";
return value !== null && typeof value === "object" && !(value instanceof ExactNumber) ? "object" : "value";
}
function isSame(one, other) {
if (one instanceof ExactNumber && other instanceof ExactNumber) return one.text === other.text;
return kindOf(one) === "value" && one === other;
}
function textOf(name, value) {
const kind = kindOf(value);
const isEmpty = kind !== "value" && Object.keys(value).length === 0;
return kind === "value" || isEmpty ? `${name}: ${writeJSON(value)}` : `${name}:`;
}
function pointer(path) {
return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
return { contentOf, compared };
})();
const module8 = (() => {

function isolated(text) {
return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}
return { isolated };
})();
const module9 = (() => {

const { isolated } = module8;
const { writeJSON } = module3;
function traceOf({ at, handledBy }) {
const parts = at.split("/");
const up = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
const last = handledBy === null ? up.length - 1 : up.indexOf(handledBy);
const visited = last < 0 ? [at, handledBy] : up.slice(0, last + 1);
return visited.map((coordinator) => ({ coordinator, intercepted: coordinator === handledBy }));
}
function shortName(id) {
return id.slice(id.lastIndexOf("/") + 1);
}
function payloadText(payload) {
return Object.entries(payload ?? {})
.map(([name, value]) => `${name}: ${isolated(typeof value === "string" ? onOneLine(value) : writeJSON(value))}`)
.join(", ");
}
function shortPayload(payload, longest = 60) {
const characters = [...payloadText(payload)];
return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}
function onOneLine(text) {
return text.replaceAll("\n", " ↵ ");
}
return { traceOf, shortName, payloadText, shortPayload };
})();
const module10 = (() => {

const { writeJSON } = module3;
const { shortName } = module9;
const longest = 40;
const named = 3;
function sentences(changes, route) {
const tell = teller(changes, route);
const told = grouped(changes.map(tell).filter(Boolean));
return told.length > 0 ? told : changes.map(plainly);
}
function teller(changes, route) {
const all = new Map(changes.map((change) => [change.pointer, change]));
const isElsewhere = all.has("/leaf") || all.has("/screen/name");
const known = new Set(changes.map(({ pointer }) => enough.exec(pointer)?.[1]));
const tabBadges = new Set(changes.filter(({ pointer }) => /^\/navigation\/tabs\/\d+\/badge$/.test(pointer))
.map(({ from, to }) => badges(from, to)));
const row = (index) => route.screen.rows[index]?.title ?? index;
const button = (index) => route.screen.actions[index]?.title ?? index;
const input = (action, index) => route.screen.actions[action]?.inputs?.[index]?.title ?? index;
const tab = (index) => route.navigation.tabs[index]?.title ?? index;
const node = (pointer) => shortName(valueAt(route, pointer)?.id ?? pointer);
function screen() {
const { title, name } = route.screen;
const before = all.get("/screen/title");
if (before?.from && before.to) return `screen ${arrow(before.from, before.to)}`;
if (!all.has("/screen/name")) return before ? `screen ${title ?? name}` : null;
return `screen ${arrow(all.get("/screen/name").from, name)}`;
}
function formerTab() {
const change = changes.find(({ pointer, from, to }) => isSelection.test(pointer) && from === true && to === false);
return change ? tab(isSelection.exec(change.pointer)?.[1]) : null;
}
const rules = ([
[/^\/(?:path|leaf|breadcrumbs|tree\/(?:.*\/)?index$)/, () => null],
[/^\/screen\/name$/, screen],
[/^\/screen\/title$/, ({ from, to }) => {
if (all.has("/screen/name")) return null;
return isElsewhere ? screen() : `title ${arrow(from, to)}`;
}],
[/^\/screen\/style$/, ({ to }) => (to === "page" ? null : `opened as ${to === "alert" ? "an alert" : `a ${to}`}`)],
[/^\/(?:screen\/|navigation\/(?:back|dismiss))/, isElsewhere ? () => null : null],
[/^\/screen\/status$/, ({ from, to }) => arrow(from, to)],
[/^\/screen\/message$/, ({ to }) => (to === null ? "message removed" : `message “${short(to)}”`)],
[/^\/screen\/empty$/, ({ to }) => (to === null ? null : `“${short(to)}”`)],
[/^\/screen\/content(?:\/|$)/, () => "content changed"],
[/^\/screen\/sections\/\d+$/, ({ from, to }) => cameOrWent("section", sectionName(from), sectionName(to))],
[/^\/screen\/sections\/\d+\/\w+$/, ({ from, to }) => `section ${arrow(from, to)}`],
[/^\/screen\/rows\/(\d+)\/section$/, ({ to }, index) => (
`row ${row(index)} in ${to === null ? "no section" : `section ${to}`}`)],
[/^\/screen\/rows\/(\d+)\/image(?:\/|$)/, (_, index) => `row ${row(index)} has a new image`],
[/^\/screen\/rows\/\d+$/, ({ from, to }) => cameOrWent("row", from?.title, to?.title)],
[/^\/screen\/rows\/(\d+)\/favorite$/, ({ to }, index) => `row ${row(index)} ${to ? "★" : "no longer ★"}`],
[/^\/screen\/rows\/\d+\/title$/, ({ from, to }) => `row ${arrow(from, to)}`],
[/^\/screen\/rows\/(\d+)\/(?:value|subtitle)$/, ({ from, to }, index) => `row ${row(index)}: ${arrow(from, to)}`],
[/^(\/screen\/rows\/(\d+))\//, (_, whole, index) => (
known.has(whole) ? null : `row ${row(index)} has a new action`)],
[/^\/screen\/actions\/\d+$/, ({ from, to }) => cameOrWent("button", from?.title, to?.title)],
[/^\/screen\/actions\/\d+\/title$/, ({ from, to }) => `button ${arrow(from, to)}`],
[/^\/screen\/actions\/(\d+)\/inputs\/(\d+)\/value$/, ({ from, to }, ...at) => `${input(...at)} ${arrow(from, to)}`],
[/^\/screen\/actions\/(\d+)\/inputs\/(\d+)\/error$/, ({ to }, ...at) => (
to === null ? `${input(...at)} is valid now` : `${input(...at)}: ${short(to)}`)],
[/^(\/screen\/actions\/(\d+))\//, (_, whole, index) => (
known.has(whole) ? null : `button ${button(index)} has a new action`)],
[/^\/navigation\/tabs\/\d+$/, ({ from, to }) => cameOrWent("tab", from?.title, to?.title)],
[/^\/navigation\/tabs\/(\d+)\/badge$/, ({ from, to }, index) => `${tab(index)} ${badges(from, to)}`],
[isSelection, ({ to }, index) => (to ? `tab ${arrow(formerTab(), tab(index))}` : null)],
[/^\/navigation\/tabs\/\d+\/title$/, ({ from, to }) => `tab ${arrow(from, to)}`],
[/^\/navigation\/back$/, ({ to }) => (to === null ? "no Back" : `Back leads to ${to.title}`)],
[/^\/navigation\/back\/title$/, ({ to }) => `Back leads to ${to}`],
[/^\/navigation\/dismiss$/, ({ to }) => (to === null ? "cannot be dismissed" : "can be dismissed")],
[/^\/navigation\//, () => null],
[/^\/parked$/, ({ from, to }) => (to === null ? `${from.path} no longer parked` : `${to.path} parked`)],
[/^\/parked\/path$/, ({ from, to }) => `parked ${arrow(from, to)}`],
[/^\/pending\/\d+$/, ({ from, to }) => {
const { kind, name } = to ?? from;
return `${kind} ${name} ${to === null ? "finished" : kind === "timer" ? "set" : "started"}`;
}],
[/^\/tree\/(?:.*\/)?children\/\d+$/, ({ from, to }) => cameOrWent("coordinator", nodeName(from), nodeName(to))],
[/^\/tree\/(?:.*\/)?presented$/, ({ from, to }) => (
to === null ? `${nodeName(from)} dismissed` : `${nodeName(to)} presented`)],
[/^(\/tree(?:\/.*)?)\/started$/, ({ to }, whole) => `${node(whole)} ${to ? "started" : "stopped"}`],
[/^(\/tree(?:\/.*)?)\/badge$/, ({ from, to }, whole) => (
tabBadges.has(badges(from, to)) ? null : `${node(whole)} ${badges(from, to)}`)],
[/^(\/tree(?:\/.*)?)\/route$/, ({ from, to }, whole) => (
all.has("/path") ? null : `${node(whole)} route ${arrow(from, to)}`)],
[/^(\/tree(?:\/.*)?)\/title$/, ({ from, to }, whole) => (
all.has("/screen/title") ? null : `${node(whole)} title ${arrow(from, to)}`)],
[/^(\/tree(?:\/.*)?)\/section$/, ({ to }, whole) => (
`${node(whole)} in ${to === null ? "no section" : `section ${to}`}`)],
]);
return (change) => {
for (const [pattern, say] of rules) {
const match = pattern.exec(change.pointer);
if (match && say) return say(change, ...match.slice(1));
}
return plainly(change);
};
}
const enough = /^(\/screen\/(?:rows|actions)\/\d+)\/(?:title|subtitle|value|favorite|inputs\/\d+\/value)$/;
const isSelection = /^\/navigation\/tabs\/(\d+)\/selected$/;
function grouped(facts) {
const groups = [];
for (const fact of facts) {
const last = groups.at(-1);
if (typeof fact === "string") groups.push(fact);
else if (last?.kind === fact.kind && last.verb === fact.verb) last.names.push(fact.name);
else groups.push({ kind: fact.kind, verb: fact.verb, names: [fact.name] });
}
return [...new Set(groups.map((group) => (typeof group === "string" ? group : counted(group))))];
}
function counted({ kind, verb, names }) {
if (names.length > named) return `${names.length} ${kind}s ${verb}`;
const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
return kind === "coordinator" ? `${list} ${verb}` : `${kind}${names.length === 1 ? "" : "s"} ${list} ${verb}`;
}
function cameOrWent(kind, before, now) {
return now === undefined ? { kind, name: before, verb: "gone" } : { kind, name: now, verb: "appeared" };
}
function sectionName(section) {
return section ? section.title ?? section.id : undefined;
}
function nodeName(node) {
return node ? shortName(node.id) : undefined;
}
function plainly({ pointer, from, to }) {
return `${pointer.slice(1)} ${arrow(from, to)}`;
}
function badges(from, to) {
const isCount = [from, to].every((badge) => badge === null || /^\d+$/.test(badge));
return `badge ${isCount ? arrow(from ?? 0, to ?? 0) : arrow(from, to)}`;
}
function arrow(from, to) {
return `${short(from)} → ${short(to)}`;
}
function short(value) {
if (value === null) return "none";
if (Array.isArray(value)) return `${value.length} items`;
const text = typeof value === "object" ? value.title ?? value.id ?? writeJSON(value) : String(value);
const line = text.replaceAll("\n", " ↵ ");
return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
function valueAt(document, pointer) {
return pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
.reduce((value, step) => value?.[step], document);
}
return { sentences };
})();
const module11 = (() => {

const { compared, contentOf } = module7;
const { sentences } = module10;
const { $, keyed, make, setText } = module0;
const kept = 200;
class WhatChanged {
#session = null;
#isLive = false;
#hasStory = false;
#shown = 0;
#focused = 0;
#told = new Map();
#isAsking = false;
#lists = new Map();
constructor({ read, row }) {
this.read = read;
this.row = row;
$("entries").addEventListener("focusin", ({ target }) => {
if (!target.matches(":focus-visible")) return;
this.#focused = Number(target.closest("[data-version]")?.dataset.version ?? 0);
this.#update();
});
}
show({ id, status, shown, story }) {
if (id !== this.#session) this.#told.clear();
if (id !== this.#session || shown.version !== this.#shown) this.#focused = 0;
this.#session = id;
this.#isLive = status === "live";
this.#hasStory = story !== null;
this.#shown = shown.version;
this.#update();
}
get #looked() {
return [...new Set([this.#shown, this.#focused])].filter((version) => version > 0);
}
#update() {
const looked = this.#looked;
$("changed").hidden = !this.#hasStory;
fill($("changed-list"), this.#told.get(this.#shown));
$("changed-list").title = this.#told.get(this.#shown)?.join(", ") ?? "";
for (const [version, list] of this.#lists) {
if (looked.includes(version) && list.parentElement === this.row(version)) continue;
list.remove();
this.#lists.delete(version);
}
for (const version of looked) {
const row = this.row(version);
if (row === undefined) continue;
if (!this.#lists.has(version)) {
this.#lists.set(version, make("ul", { className: "entry-changes", "aria-label": "What changed" }));
row.append(this.#lists.get(version));
}
fill(this.#lists.get(version), this.#told.get(version));
}
this.#ask();
}
async #ask() {
const version = this.#looked.find((each) => !this.#told.has(each));
if (this.#isAsking || !this.#isLive || version === undefined) return;
this.#isAsking = true;
const session = this.#session;
const told = await this.read(version)
.then(([before, after]) => sentences(compared(contentOf(before), contentOf(after)).changes, after))
.catch(() => null);
this.#isAsking = false;
if (session === this.#session) this.#remember(version, told);
this.#update();
}
#remember(version, told) {
this.#told.set(version, told);
for (const each of this.#told.keys()) {
if (this.#told.size <= kept) break;
if (!this.#looked.includes(each)) this.#told.delete(each);
}
}
}
function fill(list, told) {
const texts = told?.length === 0 ? ["Nothing changed"] : told ?? [];
keyed(list, texts, (text) => text, () => make("li"), setText);
}
return { WhatChanged };
})();
const module12 = (() => {

const eventCount = (count) => (count === 1 ? "1 event" : `${count} events`);
function firstEvents(count) {
if (count === 0) return "no events";
return count === 1 ? "the first event" : `the first ${count} events`;
}
return { eventCount, firstEvents };
})();
const module13 = (() => {

const { eventCount } = module12;
const { writeJSON } = module3;
function editOf(kind, version, request) {
if (kind === "drop") return { version, drop: true };
if (request === null) return null;
return kind === "insert" ? { after: version, ...request } : { version, ...request };
}
function atEdit(problem) {
const pointer = problem.pointer?.replace(/^\/edit\/0(?=\/|$)/, "");
return pointer === problem.pointer ? problem : Object.create(problem, { pointer: { value: pointer } });
}
function pairs(count, edit, refused) {
const reasons = new Map(refused.map(({ version, after, problem }) =>
[version === undefined ? `after ${after}` : `${version}`, problem.detail ?? problem.title ?? ""]));
const result = [];
let last = 0;
const add = (left, place) => {
const reason = reasons.get(place);
if (reason !== undefined) result.push({ left, right: null, note: `Not accepted: ${reason}` });
else if (edit.drop && edit.version === left) result.push({ left, right: null, note: "Dropped" });
else result.push({ left, right: ++last, note: null });
};
for (let version = 0; version <= count; version++) {
if (version > 0) add(version, `${version}`);
if (edit.after === version) add(null, `after ${version}`);
}
return result;
}
function fromFirst(all, edit = ({}), length = 100) {
const first = all.findIndex(({ left, right, note }) => left === null || right === null || note !== null
|| left === edit.version);
const start = Math.max(0, first - 1);
return all.slice(start, start + length);
}
function replayRows(shown, left, right) {
const [ofLeft, ofRight] = [left, right].map((entries) => new Map(entries.map((entry) => [entry.version, entry])));
let hasDiffered = false;
return shown.map((pair) => {
const [one = null, other = null] = [ofLeft.get(pair.left ?? -1), ofRight.get(pair.right ?? -1)];
const isSame = one !== null && other !== null && isRepeated(one, other);
const isFirst = !isSame && !hasDiffered;
hasDiffered ||= !isSame;
return { left: one, right: other, isSame, isFirst, note: pair.note };
});
}
function isRepeated(one, other) {
const [left, right] = [one, other].map(({ event, payload, at, handledBy, path }) =>
writeJSON([event, payload, at, handledBy, path]));
return left === right;
}
function replaySentence({ kept, changed, inserted, dropped, refused }) {
const parts = [
`${eventCount(kept)} kept`,
changed > 0 && `${changed} changed`,
inserted > 0 && `${inserted} inserted`,
dropped > 0 && `${dropped} dropped`,
refused.length > 0 && `${refused.length} not accepted`,
].filter(Boolean);
return `Replayed in a new session: ${parts.join(", ")}. Its work is withheld.`;
}
function refusedPlace({ version, after }) {
return version === undefined ? `The event inserted after version ${after}` : `Version ${version}`;
}
return { editOf, atEdit, pairs, fromFirst, replayRows, replaySentence, refusedPlace };
})();
const module14 = (() => {

const { writeJSON } = module3;
function timelines(left, right) {
const byVersion = new Map();
for (const [side, entries] of ([["left", left], ["right", right]])) {
for (const entry of entries) byVersion.set(entry.version, { ...byVersion.get(entry.version), [side]: entry });
}
let hasDiffered = false;
return [...byVersion].sort(([one], [other]) => one - other).map(([, { left = null, right = null }]) => {
const isSame = !hasDiffered && left !== null && right !== null && isAlike(left, right);
const isFirst = !isSame && !hasDiffered;
hasDiffered ||= !isSame;
return { left, right, isSame, isFirst };
});
}
function fromDifference(rows, length) {
const start = Math.max(0, rows.findIndex(({ isFirst }) => isFirst) - 1);
return rows.slice(start, start + length);
}
function isAlike(left, right) {
const [one, other] = [left, right].map(({ event, payload, at, handledBy }) => [event, payload, at, handledBy]);
return writeJSON(one) === writeJSON(other);
}
function shared(left, right) {
for (const [one, other] of [[left, right], [right, left]]) {
if (other.parent?.session === one.id && other.work !== "withheld") return other.parent.version;
}
return 0;
}
return { timelines, fromDifference, shared };
})();
const module15 = (() => {

const { $, make, setAttribute, setText } = module0;
const noticeTime = 4000;
const nouns = {
"/problems/unknown-coordinator": "coordinator", "/problems/unknown-event": "event", "/problems/unknown-path": "path",
};
let noticeTimer = 0;
let shownProblem = null;
function showProblem(problem, use) {
$("problem-content").replaceChildren(...problemContent(problem, use));
$("problem").hidden = false;
$("problem").classList.toggle("no-answer", problem.isNoAnswer === true);
shownProblem = problem;
}
function hideProblem(over = () => true) {
if (shownProblem === null || !over(shownProblem)) return;
$("problem").hidden = true;
shownProblem = null;
}
function movedOn({ version }) {
return {
title: "The session has changed.",
detail: `Your action belongs to an earlier screen, so the server refused it. The session is now at `
+ `version ${version}. Press again to continue.`,
};
}
function showProblemIn(form, problem, use) {
const place = form.querySelector(".problem");
place.replaceChildren(...(problem ? problemContent(problem, use) : []));
place.hidden = problem === null;
for (const input of form.querySelectorAll("[data-pointer]")) {
const isWrong = pointsInto(problem, input);
setAttribute(input, "aria-invalid", isWrong ? "true" : null);
setAttribute(input, "aria-describedby", isWrong ? place.id : null);
if (isWrong) input.focus();
}
}
function pointsInto(problem, { dataset: { pointer } }) {
return problem?.pointer === pointer || Boolean(problem?.pointer?.startsWith(`${pointer}/`));
}
function problemContent({ type, title, detail, pointer, line, didYouMean, known }, use) {
return [
make("p", {}, make("strong", {}, title ?? "Something went wrong"), " ", detail ?? ""),
...hints({ type, pointer, line, didYouMean, known }, use),
];
}
function refusalContent({ detail, ...rest }, use) {
return [make("p", {}, detail), ...hints(rest, use)];
}
function hints({ type, pointer, line, didYouMean, known }, use) {
const suggestion = (value) => use
? make("button", { type: "button", className: "suggestion", onclick: () => use(value) }, value)
: make("code", { className: "suggestion" }, value);
return [
pointer === undefined ? null : make("p", { className: "problem-pointer" }, "At ", make("code", {}, pointer)),
line === undefined ? null : make("p", {}, `Line ${line}`),
didYouMean ? make("p", {}, "Did you mean ", suggestion(didYouMean), "?") : null,
known?.length > 0
? make("details", { className: "problem-known" },
make("summary", {}, knownText(type, known.length)), make("p", {}, ...known.map(suggestion)))
: null,
].filter(Boolean);
}
function knownText(type, count) {
const noun = nouns[type] ?? "value";
return `Show ${count} known ${noun}${count === 1 ? "" : "s"}`;
}
function notify(text) {
clearTimeout(noticeTimer);
setText($("notice"), text);
$("notice").classList.add("shown");
noticeTimer = setTimeout(() => {
$("notice").classList.remove("shown");
setText($("notice"), "");
}, noticeTime);
}
return { showProblem, hideProblem, movedOn, showProblemIn, pointsInto, problemContent, refusalContent, notify };
})();
const module16 = (() => {

const { setAttribute } = module0;
function scrollable(area, ...contents) {
const update = () => {
const isCut = area.scrollHeight > area.clientHeight || area.scrollWidth > area.clientWidth + 1;
setAttribute(area, "tabindex", isCut ? "0" : null);
};
const observer = new ResizeObserver(update);
for (const each of [area, ...contents]) observer.observe(each);
return update;
}
return { scrollable };
})();
const module17 = (() => {

function sessionIn(address) {
return part(address, "session") || null;
}
function versionIn(address) {
const text = part(address, "version") ?? "";
return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
function journalFilterIn(address) {
return { text: value(address, "text"), handler: value(address, "handler"), origin: value(address, "origin") };
}
function fragmentOf(id, version = null, { text, handler, origin } = {}) {
return `#session=${id}${version === null ? "" : `&version=${version}`}${items({ text, handler, origin })}`;
}
function isHome(address) {
return /#home(?:&|$)/.test(address);
}
function sessionFilterIn(address) {
return { text: value(address, "text"), state: value(address, "state") };
}
function homeFragment({ text, state } = {}) {
return `#home${items({ text, state })}`;
}
function isSessionID(text) {
return /^[\w-]{21}[AQgw]$/.test(text);
}
function part(address, name) {
return new RegExp(`#(?:.*&)?${name}=([^&]*)`).exec(address)?.[1];
}
function value(address, name) {
try {
return decodeURIComponent(part(address, name) ?? "");
} catch {
return "";
}
}
function items(values) {
return Object.entries(values).filter(([, text]) => text)
.map(([name, text]) => `&${name}=${encodeURIComponent(text ?? "")}`).join("");
}
return { sessionIn, versionIn, journalFilterIn, fragmentOf, isHome, sessionFilterIn, homeFragment, isSessionID };
})();
const module18 = (() => {

const { compared, contentOf } = module7;
const { fromFirst, pairs, refusedPlace, replayRows, replaySentence } = module13;
const { fromDifference, shared, timelines } = module14;
const { sentences } = module10;
const { $, make, setAttribute, setText } = module0;
const { showProblemIn } = module15;
const { scrollable } = module16;
const { sessionIn } = module17;
const { payloadText } = module9;
const sides = ["left", "right"];
const length = 100;
const page = 1000;
const mostRefused = 20;
class Comparison {
#own = "";
parent = { session: "" };
#comparisons = 0;
constructor({ readRoute, readSession, readEvents }) {
this.readRoute = readRoute;
this.readSession = readSession;
this.readEvents = readEvents;
$("compare-form").addEventListener("submit", (event) => {
event.preventDefault();
this.#compare();
});
$("compare-swap").addEventListener("click", () => {
const [left, right] = sides.map((side) => this.#entered(side));
this.#enter("left", right);
this.#enter("right", left);
this.#compare();
});
$("compare-parent").addEventListener("click", () => {
this.#enter("left", this.parent);
this.#compare();
});
$("compare-all").addEventListener("click", () => {
const isPressed = $("compare-all").getAttribute("aria-pressed") === "true";
setAttribute($("compare-all"), "aria-pressed", !isPressed);
$("compare-lines").classList.toggle("all", !isPressed);
});
$("compare-close").addEventListener("click", () => $("compare").close());
scrollable($("compare-box"), $("compare-lines"));
scrollable($("timelines-box"), $("timelines"));
}
open(session, first, second, original = session) {
this.#prepare(session, first, second, original);
this.#offerParent(session);
return this.#compare();
}
openReplay(fork, edit) {
const { id, version, parent, edited } = fork;
this.#prepare(id, parent.version, version, parent.session);
return this.#compare(async () => {
const shown = fromFirst(pairs(parent.version, edit, edited.refused), edit, length);
const events = ["left", "right"].map((side, index) => {
const first = shown.find((pair) => pair[side] !== null)?.[side];
return first === undefined ? [] : this.readEvents([parent.session, id][index], first - 1, length);
});
const [ofLeft, ofRight] = await Promise.all(events);
return replayRows(shown, ofLeft, ofRight);
}, edited);
}
#prepare(session, first, second, original) {
this.#own = session;
this.#enter("left", { session: original, version: first });
this.#enter("right", { session, version: second });
$("compare-parent").hidden = true;
$("compare").showModal();
}
async #offerParent(session) {
const document = await this.readSession(session).catch(() => null);
if (session !== this.#own || !document?.parent) return;
this.parent = { session: document.parent.session };
$("compare-parent").hidden = false;
}
#enter(side, { session, version = "" }) {
$(`compare-${side}-session`).value = session === this.#own ? "" : session;
$(`compare-${side}-version`).value = version;
}
#entered(side) {
const text = $(`compare-${side}-session`).value.trim();
const version = $(`compare-${side}-version`).value.trim();
return {
session: text === "" ? this.#own : sessionIn(text) ?? text,
version: version === "" ? undefined : encodeURIComponent(version),
};
}
async #compare(readRows = (left, right) => this.#readRows(left, right), edited = null) {
const comparison = ++this.#comparisons;
const isOver = () => comparison !== this.#comparisons;
showProblemIn($("compare-form"), null);
this.#report(edited);
try {
const entered = sides.map((side) => this.#entered(side));
const [left, right] = await Promise.all(entered.map(({ session, version }) => this.readRoute(session, version)));
if (isOver()) return;
this.#show(left, right);
if (left.session === right.session) return;
const rows = await readRows(left.session, right.session);
if (!isOver()) this.#showTimelines(rows);
} catch (problem) {
if (!isOver()) showProblemIn($("compare-form"), problem);
}
}
#report(edited) {
$("compare-report").hidden = edited === null;
if (edited === null) return;
const { refused } = edited;
setText($("compare-counts"), replaySentence(edited));
const more = refused.length - mostRefused;
$("compare-refused").replaceChildren(
...refused.slice(0, mostRefused).map((each) => make("li", {},
make("strong", {}, `${refusedPlace(each)} was not accepted.`), " ", each.problem.detail ?? each.problem.title)),
more > 0 ? make("li", {}, `And ${more} more.`) : "");
}
#show(left, right) {
const { changes, lines } = compared(contentOf(left), contentOf(right));
const told = sentences(changes, right);
$("compare-words").replaceChildren(
...(told.length > 0 ? told : ["No differences."]).map((text) => make("li", {}, text)));
for (const [side, route] of [["left", left], ["right", right]]) {
const whose = route.session === this.#own ? "" : ` of ${route.session.slice(0, 6)}`;
setText($(`compare-${side}`), `Version ${route.version}${whose}`);
}
$("compare-rows").replaceChildren(...lines.map(makeLine));
$("compare-box").scrollTop = 0;
$("compare-box").classList.toggle("same", changes.length === 0);
$("timelines-box").hidden = true;
}
async #readRows(...sessions) {
const [one, other] = await Promise.all(sessions.map((session) => this.readSession(session)));
for (let after = Math.max(0, shared(one, other) - 1); ; after += page) {
const events = await Promise.all(sessions.map((session) => this.readEvents(session, after, page)));
const rows = timelines(events[0], events[1]);
if (rows.some(({ isFirst }) => isFirst)) return fromDifference(rows, length);
if (events.some(({ length: count }) => count < page)) return rows.slice(-1);
}
}
#showTimelines(rows) {
for (const side of sides) setText($(`timelines-${side}`), $(`compare-${side}`).textContent ?? "");
$("timelines-rows").replaceChildren(...rows.map(makeEvent));
$("timelines-box").hidden = false;
$("timelines-rows").querySelector("[data-first]")?.scrollIntoView({ block: "nearest" });
}
}
function makeEvent({ left, right, isSame, isFirst, note = null }) {
const cell = (entry, note) => {
if (entry === null) return make("td", {}, note === null ? "" : make("em", {}, note));
const { version, event, payload, path, handledBy } = entry;
const result = isSame ? "" : `${path ? ` → ${path}` : ""}${handledBy === null ? ", not handled" : ""}`;
return make("td", {}, `${version} ${event} ${payloadText(payload)}`.trimEnd(), result);
};
const marks = { ...(isSame && { "data-same": "" }), ...(isFirst && { "data-first": "" }) };
return make("tr", marks, cell(left, null), cell(right, note));
}
function makeLine({ depth, left, right, mark, leads }) {
const indent = "  ".repeat(depth);
const cell = (text, name) => make("td", {},
text === null ? "" : mark === null ? `${indent}${text}` : make(name, {}, `${indent}${text}`));
return make("tr", { className: leads ? "leads" : "same", ...(mark && { "data-mark": mark }) },
cell(left, "del"), cell(right, "ins"));
}
return { Comparison };
})();
const module19 = (() => {

const { isNumber, numberIn, readJSON, writeJSON } = module3;
const asJSON = ["object", "array"];
const shown = new WeakMap();
function isTypedAsJSON(type) {
return asJSON.includes(type);
}
function textOf(value) {
return typeof value === "string" ? value : writeJSON(value);
}
function showValue(control, value) {
if (control.type === "checkbox") control.checked = value === true;
else control.value = value === null ? "" : textOf(value);
shown.set(control, { json: writeJSON(value), entry: entryIn(control) });
}
function isShown(control, value) {
return shown.get(control)?.json === writeJSON(value);
}
function valuesIn(container) {
const values = {};
for (const control of controlsIn(container)) {
const { type, optional } = control.dataset;
const isLeftOut = control.value === "" && (optional !== undefined || type !== "string");
if (control.type === "checkbox") values[control.name] = control.checked;
else if (!isLeftOut) values[control.name] = valueOf(control.value, type);
}
return values;
}
function payloadWith(container, offered) {
const entered = valuesIn(container);
const payload = { ...offered };
for (const control of controlsIn(container)) {
const { name } = control;
if (entryIn(control) === shown.get(control).entry) continue;
delete payload[name];
if (name in entered) payload[name] = entered[name];
}
return payload;
}
function entriesIn(container) {
return new Map([...controlsIn(container)].map((control) => [control, entryIn(control)]));
}
function putValue(container, pointer, value) {
for (const control of controlsIn(container)) {
const { pointer: own, type } = control.dataset;
if (pointer === own) control.value = textOf(value);
if (!pointer?.startsWith(`${own}/`)) continue;
const whole = valueOf(control.value, type);
const names = pointer.slice(own.length + 1).split("/")
.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
const last = names.pop();
const holder = names.reduce((each, name) => each?.[name], whole);
if (typeof holder?.[last] !== "string") continue;
holder[last] = value;
control.value = textOf(whole);
}
}
function clearSecrets(container) {
for (const input of container.querySelectorAll("input[type=password]")) input.value = "";
}
function controlsIn(container) {
return container.querySelectorAll("[data-field]");
}
function entryIn(control) {
return control.type === "checkbox" ? String(control.checked) : control.value;
}
function typedNumber(text) {
const digits = text.trim().replace(/^(-?)0+(?=\d)/, "$1");
if (isNumber(digits)) return numberIn(digits);
return Number.isNaN(Number(text)) ? text : Number(text);
}
function valueOf(text, type) {
if (type === "integer" || type === "number") return typedNumber(text);
if (type === "boolean") return text === "true";
if (!isTypedAsJSON(type)) return text;
try {
return readJSON(text);
} catch {
return text;
}
}
return { isTypedAsJSON, textOf, showValue, isShown, valuesIn, payloadWith, entriesIn, putValue, clearSecrets, controlsIn };
})();
const module20 = (() => {

const { holdsSecret } = module6;
const { isTypedAsJSON, textOf } = module19;
const inputTypes = { integer: "number", number: "number" };
const kinds = {
email: "email", phone: "tel", url: "url", date: "date", time: "time", multiline: "area", search: "search",
};
const trimmed = /^\S(.*\S)?$/;
const shownValues = {
email: trimmed, url: trimmed,
date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/,
};
const completions = { email: "email", phone: "tel", url: "url", oneTimeCode: "one-time-code" };
function helpFor({ kind }) {
return {
autocomplete: completions[kind ?? ""] ?? "off", ...(kind === "oneTimeCode" && { inputmode: "numeric" }),
};
}
const longestMenu = 100;
function pointerTo(...names) {
return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
function inputFor(name, { default: value = null, ...declared }) {
const { type, choices, required = true } = declared;
const secret = holdsSecret(declared);
const isJSON = isTypedAsJSON(type);
const isShort = choices !== undefined && choices.length > 0 && choices.length <= longestMenu;
return {
field: name, title: name, type, value, required, secret,
choices: isShort ? choices.map((each) => ({ value: each, title: textOf(each) })) : null,
hint: [type, isJSON && "as JSON", secret && "secret", !required && "optional"].filter(Boolean).join(", "),
example: isJSON ? JSON.stringify(exampleOf(declared)) : "",
};
}
function controlFor({ type, value, choices, required, secret, kind }) {
if (secret) return "password";
if ((choices?.length ?? 0) > 0 || (type === "boolean" && !required)) return "menu";
if (type === "boolean") return "checkbox";
if (isTypedAsJSON(type) || (type === "string" && value?.includes("\n"))) return "area";
if (type !== "string") return inputTypes[type] ?? "text";
const own = kinds[kind ?? ""];
return own && (!value || (shownValues[own]?.test(value) ?? true)) ? own : "text";
}
function exampleOf({ type, choices, fields, items }) {
if (choices !== undefined && choices.length > 0) return choices[0];
switch (type) {
case "array": return items ? [exampleOf(items)] : [];
case "object":
return Object.fromEntries(Object.entries(fields ?? {}).map(([name, field]) => [name, exampleOf(field)]));
case "boolean": return false;
case "string": return "";
default: return 0;
}
}
return { helpFor, pointerTo, inputFor, controlFor };
})();
const module21 = (() => {

const { keyed, make, setAttribute, setText } = module0;
const { controlsIn, isShown, isTypedAsJSON, showValue, textOf } = module19;
const { controlFor, helpFor } = module20;
function makeField({ prefix, pointer, ...input }) {
const kind = controlFor(input);
const control = makeControl(kind, {
id: `${prefix}-${input.field}`, name: input.field, ...helpFor(input),
"data-field": input.field, "data-pointer": pointer, "data-type": input.type,
});
if (!input.required) control.dataset.optional = "";
else if (kind !== "checkbox") control.setAttribute("aria-required", "true");
if (input.type === "number") control.step = "any";
if (isTypedAsJSON(input.type)) control.spellcheck = false;
if (isTyped(kind)) control.placeholder = input.example ?? (input.required ? "Required" : "Optional");
const field = make("div", { className: `field field-${kind}` },
make("label", { htmlFor: control.id },
make("span", { className: "field-title" }), " ", make("span", { className: "field-type" })),
control,
make("div", { className: "field-error", id: `${control.id}-error`, hidden: true }));
updateField(field, input);
return field;
}
function updateField(field, input) {
const [control] = controlsIn(field);
setText(field.querySelector(".field-title"), input.title);
setText(field.querySelector(".field-type"), input.hint ?? (input.required || control.placeholder ? "" : "optional"));
if (control.matches("select")) offerChoices(control, input);
if (!isShown(control, input.value)) showValue(control, input.value);
}
function showErrorIn(field, content) {
const [control] = controlsIn(field);
const place = field.querySelector(".field-error");
const isWrong = content.length > 0;
if (isWrong || !place.hidden) place.replaceChildren(...content);
place.hidden = !isWrong;
setAttribute(control, "aria-invalid", isWrong ? "true" : null);
setAttribute(control, "aria-describedby", isWrong ? place.id : null);
}
function suggestValues(field, values) {
const input = field.querySelector("input");
if (!input) return;
const list = field.querySelector("datalist") ?? field.appendChild(make("datalist", { id: `${input.id}-values` }));
const offered = input.type === "password" ? [] : [...new Set(values.map(textOf))];
setAttribute(input, "list", offered.length > 0 ? list.id : null);
list.replaceChildren(...offered.map((each) => make("option", { value: each })));
}
function isTyped(kind) {
return kind !== "menu" && kind !== "checkbox";
}
function makeControl(kind, attributes) {
if (kind === "menu") return make("select", attributes);
if (kind === "area") return make("textarea", { ...attributes, rows: 3 });
return make("input", { ...attributes, type: kind });
}
function offerChoices(menu, { type, value, choices, required }) {
const listed = choices ?? (type === "boolean" ? [true, false].map((value) => ({ value, title: textOf(value) })) : []);
const isListed = value === null || listed.some((choice) => textOf(choice.value) === textOf(value));
const offered = [
...(required && value !== null ? [] : [{ value: "", title: "" }]),
...listed,
...(isListed ? [] : [{ value, title: textOf(value) }]),
];
const entered = menu.value;
keyed(menu, offered, (choice) => textOf(choice.value), (choice) => make("option", { value: textOf(choice.value) }),
(option, { title }) => setText(option, title));
if (offered.some((choice) => textOf(choice.value) === entered)) menu.value = entered;
else showValue(menu, value);
}
return { makeField, updateField, showErrorIn, suggestValues };
})();
const module22 = (() => {

function found(names, text) {
const words = text.toLowerCase().split(/\s+/).filter(Boolean);
if (words.length === 0) return names;
const isMeant = (name) => words.every((word) => name.toLowerCase().includes(word));
const rank = (name) => {
const parts = [name, name.slice(name.indexOf(".") + 1)].map((each) => each.toLowerCase());
return parts.includes(words[0]) ? 0 : parts.some((part) => part.startsWith(words[0])) ? 1 : 2;
};
return names.filter(isMeant).toSorted((a, b) => rank(a) - rank(b));
}
function chosen(names, wanted) {
return wanted !== undefined && names.includes(wanted) ? wanted : names[0];
}
return { found, chosen };
})();
const module23 = (() => {

function offeredActions(document) {
const actions = [];
const collect = (value) => {
if (value === null || typeof value !== "object") return;
if (typeof value.event === "string") actions.push(value);
Object.values(value).forEach(collect);
};
collect(document);
return actions;
}
function offeredValues(document, name) {
const values = offeredActions(document).map(({ payload }) => payload?.[name] ?? null);
return [...new Set(values.filter((value) => value !== null))];
}
return { offeredActions, offeredValues };
})();
const module24 = (() => {

const { holdsSecret } = module6;
const { readJSON, writeJSON } = module3;
const nameFor = (event) => `coordinate.payload.${event}`;
function withoutSecrets(payload, declared) {
return Object.fromEntries(Object.entries(payload)
.filter(([name]) => Object.hasOwn(declared, name) && !holdsSecret(declared[name])));
}
function remember(event, payload, declared, storage = keeping()) {
try {
const kept = withoutSecrets(payload, declared);
if (Object.keys(kept).length > 0) storage?.setItem(nameFor(event), writeJSON(kept));
else storage?.removeItem(nameFor(event));
} catch {
}
}
function remembered(event, declared, storage = keeping()) {
try {
const payload = withoutSecrets(readJSON(storage?.getItem(nameFor(event)) ?? "{}"), declared);
return Object.fromEntries(Object.entries(payload)
.filter(([name, value]) => declared[name].choices?.includes(value) ?? true));
} catch {
return {};
}
}
function keeping() {
try {
return sessionStorage;
} catch {
return null;
}
}
return { withoutSecrets, remember, remembered };
})();
const module25 = (() => {

const { isSendable } = module6;
const { $, keyed, make, setText } = module0;
const { clearSecrets, payloadWith, putValue, valuesIn } = module19;
const { makeField, suggestValues } = module21;
const { chosen, found } = module22;
const { inputFor, pointerTo } = module20;
const { actionOf } = module1;
const { offeredValues } = module23;
const { showProblemIn } = module15;
const { remember, remembered } = module24;
class EventForm {
#events = [];
#route = null;
#canSend = isSendable;
#given = null;
#part;
constructor(prefix, needing) {
this.#part = (name) => $(`${prefix}-${name}`);
this.prefix = prefix;
this.needing = needing;
const [find, form] = [this.#part("find"), this.#part("form")];
find.addEventListener("input", () => this.#find());
find.addEventListener("keydown", (event) => this.#pressed(event));
this.#part("event").addEventListener("change", () => this.#showFields());
form.addEventListener("input", () => this.showProblem(null));
form.closest("dialog")?.addEventListener("close", () => clearSecrets(this.#part("fields")));
}
get isReady() {
return this.#events.some(isSendable);
}
offer(events) {
this.#events = events;
this.#list(events);
}
show(route, { isOutcome = false, given = null, event = given?.event } = {}) {
this.#route = route;
this.#given = given;
this.#canSend = isOutcome ? () => true : isSendable;
this.#part("find").value = "";
this.#find();
if (event !== undefined) this.#part("event").value = event;
if (given) this.#part("fields").replaceChildren();
this.#showFields();
this.showProblem(null);
}
get request() {
if (!this.#event) return null;
const { name } = this.#event;
const fields = this.#part("fields");
const payload = name === this.#given?.event ? payloadWith(fields, this.#given.payload) : valuesIn(fields);
return { event: name, payload };
}
remember({ event, payload }) {
const declared = this.#events.find(({ name }) => name === event);
if (declared) remember(event, payload, declared.payload);
}
showProblem(problem) {
showProblemIn(this.#part("form"), problem, (value) => {
if (problem.pointer?.startsWith("/payload/")) return putValue(this.#part("fields"), problem.pointer, value);
this.#part("find").value = "";
this.#find();
(problem.pointer === "/at" ? this.#part("at") : this.#part("event")).value = value;
this.#showFields();
});
}
get #event() {
return this.#events.find(({ name }) => name === this.#part("event").value);
}
#list(events) {
const domains = Map.groupBy(events, ({ name }) => name.slice(0, name.indexOf(".")));
this.#part("event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
...ofDomain.map((event) => make("option", { value: event.name, disabled: !this.#canSend(event) },
this.#canSend(event) ? event.name : `${event.name} (only the app can emit it)`)))));
}
#find() {
const text = this.#part("find").value.trim();
const sendable = this.#events.filter((event) => this.#canSend(event)).map(({ name }) => name);
const names = found(sendable, text);
setText(this.#part("found"), text === "" ? "" : names.length === 0 ? "No events match."
: `${names.length} of ${sendable.length} events`);
const { value } = this.#part("event");
this.#list(text === "" ? this.#events : this.#events.filter(({ name }) => names.includes(name)));
this.#part("event").value = chosen(names, text === "" ? value : names[0]) ?? "";
for (const id of this.needing) $(id).disabled = names.length === 0;
if (this.#part("event").value !== value) this.#showFields();
}
#pressed(event) {
const action = actionOf("find", event);
if (action === null) return;
event.preventDefault();
const menu = this.#part("event");
if (action === "take") {
return (this.#part("fields").querySelector("[data-field]") ?? $(this.needing[0])).focus();
}
const options = [...menu.options].filter(({ disabled }) => !disabled);
const next = options[options.indexOf(menu.selectedOptions[0]) + (action === "next" ? 1 : -1)];
if (!next) return;
menu.value = next.value;
this.#showFields();
}
#showFields() {
const { name: event, payload } = this.#event ?? { name: "", payload: {} };
const last = event === this.#given?.event ? this.#given.payload : remembered(event, payload);
const fields = Object.entries(payload).map(([name, type]) => ({
...inputFor(name, Object.hasOwn(last, name) ? { ...type, default: last[name] } : type),
prefix: `${this.prefix}-field`, pointer: pointerTo("payload", name),
}));
keyed(this.#part("fields"), fields, ({ field }) => `${event} ${field}`, makeField, (element, { field: name }) => {
suggestValues(element, [...(payload[name].choices ?? []), ...offeredValues(this.#route, name)]);
});
this.#part("empty").hidden = fields.length > 0 || !this.#event;
}
}
return { EventForm };
})();
const module26 = (() => {

function below(node, gone) {
const { children = [], presented, kind, level = 0 } = node;
const known = [...children, ...(presented ? [{ ...presented, isPresented: true }] : [])];
const lost = gone
.filter((id) => id.startsWith(`${node.id}/`) && !known.some((child) => id.startsWith(`${child.id}/`)))
.filter((id, _, all) => !all.some((other) => id.startsWith(`${other}/`)))
.map((id) => ({ id, isGone: true }));
return [...known, ...lost].map((child, index, all) => ({
...child,
level: level + 1,
beginsSection: child.section && child.section !== all[index - 1]?.section,
endsSection: child.section && child.section !== all[index + 1]?.section,
position: kind === "navigation" && index < children.length && `${index + 1} of ${children.length} on the stack`,
}));
}
function visibleChain(tree) {
const ids = [];
let node = tree;
for (; node; node = node.presented ?? node.children?.[node.index ?? -1]) ids.push(node.id);
return ids;
}
function find(node, id) {
if (node.id === id) return node;
const below = [...(node.children ?? []), ...(node.presented ? [node.presented] : [])];
return below.map((child) => find(child, id)).find(Boolean);
}
function startedIds({ id, started, children = [], presented }) {
const below = [...children, ...(presented ? [presented] : [])].flatMap(startedIds);
return started ? [id, ...below] : below;
}
return { below, visibleChain, find, startedIds };
})();
const module27 = (() => {

const { showBusy } = module5;
const { likelyOutcome } = module6;
const { isolated } = module8;
const { $, make, setText } = module0;
const { EventForm } = module25;
const { startedIds } = module26;
const { shortName } = module9;
class Composer {
#form = new EventForm("composer", ["composer-send", "composer-copy"]);
#events = [];
#pending = null;
#isSending = false;
constructor({ send, copy }) {
$("composer-copy").addEventListener("click", () => copy(this.#request));
$("composer-cancel").addEventListener("click", () => $("composer").close());
$("composer-form").addEventListener("submit", async (event) => {
event.preventDefault();
if (this.#isSending || this.#form.request === null) return;
this.#isSending = true;
this.#form.showProblem(null);
try {
const request = this.#request;
await showBusy($("composer-send"), send(request));
this.#form.remember(request);
$("composer").close();
} catch (problem) {
this.#form.showProblem(problem);
} finally {
this.#isSending = false;
}
});
}
get isReady() {
return this.#form.isReady;
}
offer(events) {
this.#events = events;
this.#form.offer(events);
}
open(route, at = null, pending = null) {
this.#pending = pending;
setText($("composer-heading"), pending ? `Post the outcome of ${isolated(pending.name)}` : "Send an event");
$("composer-from").hidden = pending !== null;
const ids = startedIds(route.tree);
$("composer-at").replaceChildren(
make("option", { value: "" }, `The visible leaf, ${shortName(route.leaf)}`),
...ids.map((id) => make("option", { value: id }, id)));
$("composer-at").value = at ?? "";
this.#form.show(route, pending ? { isOutcome: true, event: likelyOutcome(this.#events)?.name } : {});
$("composer").showModal();
}
get #request() {
const at = $("composer-at").value;
return {
...this.#form.request, ...(at && { at }), ...(this.#pending && { pending: this.#pending.id }),
};
}
}
return { Composer };
})();
const module28 = (() => {

async function copied(text) {
try {
await navigator.clipboard.writeText(text);
return true;
} catch {
return false;
}
}
return { copied };
})();
const module29 = (() => {

const name = "coordinate.has-key";
function isKeyWanted() {
try {
return localStorage.getItem(name) !== null;
} catch {
return false;
}
}
function noteKey() {
try {
localStorage.setItem(name, "yes");
} catch {
}
}
return { isKeyWanted, noteKey };
})();
const module30 = (() => {

const { eventsAddress, routeAddress } = module4;
const { writeJSON } = module3;
const { isKeyWanted } = module29;
const thisServer = () => ({ origin: location.origin, hasKey: isKeyWanted() });
function eventCommand(session, request, server = thisServer()) {
const { event, payload, at, pending, origin = "client" } = request;
const body = { event };
if (Object.keys(payload ?? {}).length > 0) body.payload = payload ?? {};
if (at) body.at = at;
if (pending && origin === "client") body.pending = pending;
return command({ path: eventsAddress(session), body: writeJSON(body) }, server);
}
function routeCommand(session, version, server = thisServer()) {
return command({ path: routeAddress(session, version) }, server);
}
function command(request, { origin, hasKey } = thisServer()) {
const { path, headers = {}, body = null } = request;
const own = body === null ? "GET" : "POST";
const method = request.method ?? own;
const { "Content-Type": type, ...others } = headers;
const isJSON = type === undefined || type === "application/json";
return [
"curl",
...(method === own ? [] : [method === "HEAD" ? "--head" : `-X ${method}`]),
...(hasKey ? [`-H "Authorization: Bearer $COORDINATE_API_KEY"`] : []),
...Object.entries(others).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
...(body === null ? [] : isJSON
? [`--json ${quoted(body)}`]
: [`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(body)}`]),
quoted(origin + path),
].join(" ");
}
function quoted(word) {
return `'${word.replaceAll("'", "'\\''")}'`;
}
return { thisServer, eventCommand, routeCommand, command };
})();
const module31 = (() => {

const { showBusy } = module5;
const { atEdit, editOf } = module13;
const { isolated } = module8;
const { $, setText } = module0;
const { EventForm } = module25;
const { payloadText } = module9;
class EditDialog {
#form = new EventForm("editor", ["editor-go"]);
#entry = null;
#routes = [];
#isSending = false;
constructor({ readRoute, replay, done }) {
this.readRoute = readRoute;
this.replay = replay;
this.done = done;
$("editor-kinds").addEventListener("change", () => this.#show());
$("editor-cancel").addEventListener("click", () => $("editor").close());
$("editor-form").addEventListener("submit", (event) => {
event.preventDefault();
this.#replay();
});
}
offer(events) {
this.#form.offer(events);
}
async open(entry, count) {
const { version, event, payload } = entry;
this.#routes = await Promise.all([Math.max(0, version - 1), version].map((each) => this.readRoute(each)));
if (document.querySelector("dialog[open]")) return;
this.#entry = entry;
const what = version === 0 ? "Before the first event" : `Version ${version}, ${event} ${payloadText(payload)}`;
setText($("editor-what"), `${isolated(what.trimEnd())}. A new session replays ${
count === 1 ? "the event" : `all ${count} events`} with this edit, and its work is withheld. This session does `
+ "not change.");
for (const kind of ["change", "drop"]) $(`editor-${kind}`).disabled = version === 0;
$(version === 0 ? "editor-insert" : "editor-change").checked = true;
this.#show();
$("editor").showModal();
}
get #kind() {
return $("editor-kinds").querySelector(":checked").value;
}
#show() {
$("editor-described").hidden = this.#kind === "drop";
const [before, after] = this.#routes;
if (this.#kind === "insert") return this.#form.show(after);
const { event, payload, pending = null } = this.#entry;
this.#form.show(before, { isOutcome: pending !== null, given: { event, payload: payload ?? {} } });
if (this.#kind === "drop") $("editor-go").disabled = false;
}
async #replay() {
const edit = editOf(this.#kind, this.#entry.version, this.#form.request);
if (this.#isSending || edit === null) return;
this.#isSending = true;
this.#form.showProblem(null);
try {
const fork = await showBusy($("editor-go"), this.replay(edit));
$("editor").close();
this.done(fork, edit);
} catch (problem) {
this.#form.showProblem(atEdit(problem));
} finally {
this.#isSending = false;
}
}
}
return { EditDialog };
})();
const module32 = (() => {

const { firstEvents } = module12;
const { isolated } = module8;
const { $, setText } = module0;
class ForkDialog {
#action = null;
constructor({ go }) {
$("forking-cancel").addEventListener("click", () => $("forking").close());
$("forking-go").addEventListener("click", () => {
$("forking").close();
go(this.#action, $("forking-withhold").checked);
});
}
open(session, action = null) {
const { shown: { version, pending = [] }, isWithheld } = session;
this.#action = action;
setText($("forking-what"), [
`Version ${version} is in the past and cannot change. The fork is a new session with ${firstEvents(version)}`,
action ? `. Then “${isolated(action.title)}” sends ${action.event}.` : ".",
isWithheld ? " The fork’s work is withheld as well." : "",
].join(""));
$("forking-work").hidden = !session.canWithhold;
$("forking-withhold").checked = false;
setText($("forking-pending"), pending.map(({ name }) => isolated(name)).join(", "));
setText($("forking-go"), action ? "Fork and continue" : "Fork here");
$("forking").showModal();
}
}
return { ForkDialog };
})();
const module33 = (() => {

function oncePerFrame(show, { isHidden = () => document.hidden, frame = requestAnimationFrame } = {}) {
let isDue = false;
const now = () => {
isDue = false;
show();
};
const soon = () => {
if (isHidden()) return now();
if (!isDue) frame(() => isDue && now());
isDue = true;
};
return Object.assign(soon, { now });
}
return { oncePerFrame };
})();
const module34 = (() => {

const { $, make } = module0;
const { scopes, signOf } = module1;
class Help {
constructor() {
$("help-keys").replaceChildren(...scopes.map(({ title, keys }) => make("section", { className: "help-scope" },
make("h4", {}, title),
make("dl", {}, ...keys.map(({ keys: names, does }) => make("div", {},
make("dt", {}, ...names.map((name) => make("kbd", {}, signOf(name)))),
make("dd", {}, does)))))));
$("open-help").addEventListener("click", () => this.open());
$("help-home").addEventListener("click", () => $("help").close());
$("help-close").addEventListener("click", () => $("help").close());
}
open() {
$("help-api").href = `/api.html${location.hash.startsWith("#session=") ? location.hash : ""}`;
$("help").showModal();
$("help").scrollTop = 0;
}
}
function isTyping(element) {
return element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}
return { Help, isTyping };
})();
const module35 = (() => {

const units = [["d", 86_400], ["h", 3600], ["min", 60], ["s", 1]];
function duration(seconds) {
let rest = seconds;
const parts = units.map(([unit, size]) => {
const count = Math.floor(rest / size);
rest %= size;
return { count, text: `${count} ${unit}` };
});
const first = parts.findIndex(({ count }) => count > 0);
return parts.slice(first, first + 3).map(({ text }) => text).join(" ");
}
function ago(time, now) {
const seconds = Math.floor((now - Date.parse(time)) / 1000);
const unit = units.find(([, size]) => seconds >= size);
return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]} ago` : "now";
}
return { duration, ago };
})();
const module36 = (() => {

const { $ } = module0;
function save(content, name, type = "application/x-ndjson") {
const address = URL.createObjectURL(new Blob([content], { type }));
const link = document.createElement("a");
link.href = address;
link.download = name;
link.click();
URL.revokeObjectURL(address);
}
function acceptFiles(area, marked, input, take) {
let depth = 0;
const mark = (isOver) => marked.classList.toggle("dropping", isOver);
const listen = (name, action) => area.addEventListener(name, (event) => {
if (!event.dataTransfer?.types.includes("Files")) return;
event.stopPropagation();
event.preventDefault();
action(event.dataTransfer);
});
listen("dragenter", () => mark(++depth > 0));
listen("dragover", () => {});
listen("dragleave", () => {
depth = Math.max(0, depth - 1);
mark(depth > 0);
});
listen("drop", ({ files }) => {
depth = 0;
mark(false);
if (files[0]) take(files[0]);
});
input.addEventListener("change", () => {
const [file] = input.files;
input.value = "";
if (file) take(file);
});
}
function chooseFile() {
$("journal-file").click();
}
return { save, acceptFiles, chooseFile };
})();
const module37 = (() => {

const { isSessionID } = module17;
function queryFor(text, state) {
return { ...partFor(text), ...(state !== "" && { state }) };
}
function partFor(text) {
if (text === "") return {};
if (text.startsWith("/")) return { path: text };
if (!firstPair.test(text)) return { key: text, ...(isSessionID(text) && { reference: text }) };
const pairs = text.split(/\s+(?=[a-z][a-z0-9_.-]*=)/).map((pair) => pair.split(/=(.*)/s));
return Object.fromEntries(pairs.map(([name, value]) => [`attribute.${name}`, value]));
}
const firstPair = /^[a-z][a-z0-9_.-]*=/;
const pairsOf = ({ attributes = {} }) => Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
function attributeChanges(old, text) {
let entered;
try {
entered = JSON.parse(text.trim() || "{}");
} catch {
return text;
}
if (typeof entered !== "object" || entered === null || Array.isArray(entered)) return entered;
const removed = Object.keys(old).filter((name) => !Object.hasOwn(entered, name)).map((name) => [name, null]);
const set = Object.entries(entered).filter(([name, value]) => old[name] !== value);
return removed.length + set.length > 0 ? Object.fromEntries([...removed, ...set]) : undefined;
}
function isMeant(session, text) {
if (text.startsWith("/") || firstPair.test(text)) return true;
const { id, path, appVersion, parent, name, key, reference } = session;
const words = text.toLowerCase().split(/\s+/).filter(Boolean);
const told = [id, path, appVersion, parent?.session, name, key, reference, ...pairsOf(session)]
.join(" ").toLowerCase();
return words.every((word) => told.includes(word));
}
function pendingText({ pending = 0, work = null }) {
if (work === "withheld") return pending > 0 ? `${pending} pending, withheld` : "work withheld";
return pending > 0 ? `${pending} pending` : "";
}
function families(sessions) {
const all = new Map(sessions.map((session) => [session.id, { session, forks: [] }]));
const parentOf = ({ session }) => (session.parent ? all.get(session.parent.session) : undefined);
const roots = new Set();
for (const family of all.values()) {
let each = family;
for (let parent = parentOf(each); parent; parent = parentOf(each)) {
if (parent.forks.includes(each)) break;
parent.forks.push(each);
each = parent;
}
if (!parentOf(each)) roots.add(each);
}
return [...roots];
}
function joined(known, more) {
const all = new Map([...known, ...more].map((session) => [session.id, session]));
return [...all.values()];
}
const fileName = ({ id, version }) => `${id.slice(0, 6)}-${version}.ndjson`;
return { queryFor, pairsOf, attributeChanges, isMeant, pendingText, families, joined, fileName };
})();
const module38 = (() => {

const { Problem } = module4;
const { showBusy } = module5;
const { $, keyed, make, setAttribute, setText } = module0;
const { ago } = module35;
const { save } = module36;
const { problemContent, showProblemIn } = module15;
const { families, fileName, isMeant, joined, pairsOf, pendingText, queryFor } = module37;
const page = 50;
const typingPause = 250;
class Home {
isOpen = false;
#sessions = [];
#next = null;
#isKnown = false;
#ending = null;
#readings = 0;
#timer = 0;
#asked = "";
constructor({ read, end, journal, start, addressOf, now, filtered }) {
this.read = read;
this.end = end;
this.journal = journal;
this.addressOf = addressOf;
this.now = now;
this.filtered = filtered;
$("home-new").addEventListener("click", start);
$("home-more").addEventListener("click", () => showBusy($("home-more"), this.#readMore()));
$("home-search").addEventListener("submit", (event) => {
event.preventDefault();
this.#search();
});
$("home-text").addEventListener("input", () => {
this.#show();
clearTimeout(this.#timer);
this.#timer = setTimeout(() => this.#search(), typingPause);
});
$("home-state").addEventListener("change", () => this.#search());
$("home-list").addEventListener("click", ({ target }) => {
const button = target.closest("button");
const session = this.#sessions.find(({ id }) => id === target.closest("[data-session]")?.dataset.session);
if (button?.matches(".session-export")) showBusy(button, this.#export(session));
if (button?.matches(".session-end")) this.#ask(session);
});
$("home-ending-cancel").addEventListener("click", () => $("home-ending").close());
$("home-ending-end").addEventListener("click", () => this.#end());
}
open(current, back, { text, state }) {
this.current = current;
setAttribute($("home-back"), "href", back);
if ($("home-text").value.trim() !== text) $("home-text").value = text;
$("home-state").value = state;
if ($("home-state").selectedIndex < 0) $("home-state").value = "";
$("home-back").hidden = current === null;
if (!this.isOpen) this.#toggle(true);
this.#begin();
}
close() {
clearTimeout(this.#timer);
if (this.isOpen) this.#toggle(false);
}
#toggle(isOpen) {
this.isOpen = isOpen;
$("home").hidden = !isOpen;
document.body.classList.toggle("at-home", isOpen);
setAttribute($("open-home"), "aria-current", isOpen ? "page" : null);
if (isOpen) $("home-heading").focus();
}
get #filter() {
return { text: $("home-text").value.trim(), state: $("home-state").value };
}
get #query() {
const { text, state } = this.#filter;
return queryFor(text, state);
}
#search() {
clearTimeout(this.#timer);
this.filtered(this.#filter);
if (JSON.stringify(this.#query) !== this.#asked) this.#begin();
}
#begin() {
this.#asked = JSON.stringify(this.#query);
return this.#read({ ...this.#query, limit: page }, () => []);
}
#readMore() {
return this.#read({ ...this.#query, limit: page, after: this.#next }, () => this.#sessions);
}
async #read(query, kept) {
const reading = ++this.#readings;
setAttribute($("home-list"), "aria-busy", "true");
let answer = { sessions: [], next: query.after ?? null };
let problem = null;
try {
answer = await this.read(query);
} catch (error) {
if (!(error instanceof Problem)) throw error;
problem = error;
}
if (reading !== this.#readings) return;
setAttribute($("home-list"), "aria-busy", null);
this.#isKnown = problem === null;
this.#sessions = joined(kept(), answer.sessions);
this.#next = answer.next;
this.#showProblem(problem);
this.#show();
}
#showProblem(problem) {
const isShown = problem !== null && !problem.isUnauthorized;
$("home-problem").replaceChildren(...(isShown ? [make("div", {}, ...problemContent(problem))] : []));
$("home-problem").hidden = !isShown;
$("home-search").hidden = problem?.status === 403;
}
#show() {
const { text } = this.#filter;
const meant = this.#sessions.filter((session) => isMeant(session, text));
this.#list($("home-list"), families(meant));
$("home-more").hidden = this.#next === null;
setText($("home-count"), this.#isKnown ? this.#countText(meant.length) : "");
}
#countText(count) {
if (count === 0) return `No sessions match${this.#next === null ? "." : " so far. Load more to continue."}`;
const more = this.#next === null ? "" : "; there are more";
return `${count} ${count === 1 ? "session" : "sessions"}, last used first${more}.`;
}
#list(list, items) {
keyed(list, items, ({ session }) => session.id, makeItem, (item, { session, forks }) => {
this.#describe(item.firstElementChild, session);
this.#list(item.lastElementChild, forks);
item.lastElementChild.hidden = forks.length === 0;
});
}
#describe(row, session) {
const { id, version, path, appVersion, state, parent, createdAt, lastEventAt, name, key } = session;
const part = (name) => row.querySelector(`.session-${name}`);
const short = id.slice(0, 6);
part("path").href = this.addressOf(id);
setText(part("path"), path);
setAttribute(row, "aria-current", id === this.current ? "true" : null);
part("state").dataset.state = state;
setText(part("state"), state);
showWhole(part("name"), name ?? "");
showWhole(part("key"), key ? `key ${key}` : "");
keyed(part("attributes"), pairsOf(session), (pair) => pair, () => make("code"), showWhole);
setText(part("id"), short);
part("id").title = id;
setText(part("version"), `version ${version}`);
setText(part("app"), `app ${appVersion}`);
setText(part("pending"), pendingText(session));
setText(part("parent"), parent ? `forked from ${parent.session.slice(0, 6)}, version ${parent.version}` : "");
const used = lastEventAt ?? createdAt;
setText(part("age"), `${lastEventAt ? "last event" : "created"} ${ago(used, this.now())}`);
part("age").dateTime = used;
part("age").title = `Created ${new Date(createdAt).toLocaleString()}`;
part("export").setAttribute("aria-label", `Export ${short}, at ${path}`);
part("end").setAttribute("aria-label", `End ${short}, at ${path}`);
}
async #export(session) {
try {
save(await this.journal(session.id), fileName(session));
this.#showProblem(null);
} catch (problem) {
if (!(problem instanceof Problem)) throw problem;
this.#showProblem(problem);
}
}
#ask(session) {
this.#ending = session;
showProblemIn($("home-ending"), null);
setText($("home-ending-what"), `${session.id.slice(0, 6)}, at ${session.path}, version ${session.version}. `
+ "This ends it for everyone and deletes its journal. Export it first if you want to keep the journal.");
$("home-ending").showModal();
}
async #end() {
const { id } = this.#ending;
try {
await showBusy($("home-ending-end"), this.end(id));
} catch (problem) {
if (!(problem instanceof Problem)) throw problem;
if (!problem.isUnknownSession) return showProblemIn($("home-ending"), problem);
}
$("home-ending").close();
this.#sessions = this.#sessions.filter((session) => session.id !== id);
this.#show();
$("home-heading").focus();
}
}
function showWhole(element, text) {
setText(element, text);
setAttribute(element, "title", text);
}
function makeItem({ session: { id } }) {
const tool = (name, text) => make("button", { type: "button", className: `quiet session-${name}` }, text);
return make("li", { className: "session", "data-session": id },
make("div", { className: "session-row" },
make("p", { className: "session-place" },
make("a", { className: "session-path" }), make("span", { className: "session-state" })),
make("p", { className: "session-facts" },
make("span", { className: "session-name" }), make("span", { className: "session-key" }),
make("span", { className: "session-attributes" }),
make("code", { className: "session-id" }), make("span", { className: "session-version" }),
make("time", { className: "session-age" }), make("span", { className: "session-pending" }),
make("span", { className: "session-parent" }), make("span", { className: "session-app" })),
make("div", { className: "session-tools" }, tool("export", "Export"), tool("end danger", "End"))),
make("ul", { className: "session-forks" }));
}
return { Home };
})();
const module39 = (() => {

const { actionOf } = module1;
function withinRows(container, selector) {
container.addEventListener("keydown", (event) => {
const row = event.target.closest(selector);
if (!row) return;
const buttons = [...row.querySelectorAll("button")].filter((button) => button.checkVisibility());
const index = buttons.indexOf(event.target);
const next = { next: buttons[index + 1], previous: buttons[index - 1] }[actionOf("entry", event)];
if (!next) return;
event.preventDefault();
next.focus();
});
}
function roving(container, selector, { horizontal = false } = {}) {
const all = () => [...container.querySelectorAll(selector)];
let last = null;
function makeStop(stop) {
if (last !== null && last !== stop) last.tabIndex = -1;
if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
last = stop;
}
container.addEventListener("focusin", ({ target }) => {
if (target.matches(selector)) makeStop(target);
});
container.addEventListener("keydown", (event) => {
if (!event.target.matches(selector)) return;
const elements = all();
const index = elements.indexOf(event.target);
const next = {
previous: elements[index - 1],
next: elements[index + 1],
first: elements[0],
last: elements.at(-1),
}[actionOf(horizontal ? "tabs" : "list", event)];
if (!next) return;
event.preventDefault();
next.focus();
});
return (preferred) => {
const active = document.activeElement;
const focused = active?.matches(selector) && container.contains(active) ? active : null;
makeStop(focused ?? preferred ?? container.querySelector(selector));
};
}
return { withinRows, roving };
})();
const module40 = (() => {

const { keyed } = module0;
class RowList {
#rows = new Map();
#shown = { entries: ([]), start: 0, end: 0, beginning: (null) };
#isStale = false;
constructor(list, { create, update }) {
this.list = list;
this.create = create;
this.update = update;
}
row(version) {
return this.#rows.get(version);
}
clear() {
this.list.replaceChildren();
this.#rows.clear();
this.#shown = { entries: [], start: 0, end: 0, beginning: null };
}
refresh() {
this.#isStale = true;
}
show(entries, start, beginning) {
const { entries: before, start: first, end, beginning: last } = this.#shown;
this.#shown = { entries, start, end: entries.length, beginning };
if (entries !== before || this.#isStale) return this.#showAll();
if (last !== null && (beginning === null || start < first)) this.#remove(last);
for (let index = first; index < Math.min(start, end); index++) this.#remove(entries[index]);
for (const entry of entries.slice(Math.max(start, end))) this.list.prepend(this.#made(entry));
for (let index = Math.min(first, end) - 1; index >= start; index--) this.list.append(this.#made(entries[index]));
if (beginning !== null && !this.#rows.has(beginning.version)) this.list.append(this.#made(beginning));
}
#made(entry) {
const row = (this.create(entry));
row.dataset.key = String(entry.version);
this.#rows.set(entry.version, row);
this.update(row, entry);
return row;
}
#showAll() {
const { entries, start, beginning } = this.#shown;
this.#isStale = false;
this.#rows.clear();
const all = [...entries.slice(start).reverse(), ...(beginning === null ? [] : [beginning])];
keyed(this.list, all, ({ version }) => version, this.create, (row, entry) => {
this.#rows.set(entry.version, row);
this.update(row, entry);
});
}
#remove({ version }) {
this.#rows.get(version)?.remove();
this.#rows.delete(version);
}
}
return { RowList };
})();
const module41 = (() => {

const step = 100;
class Room {
#count = step;
reset() {
this.#count = step;
}
grow(total) {
if (this.#count >= total) return false;
this.#count += step;
return true;
}
countFor(index = -1) {
if (index >= this.#count) this.#count = index + step / 2;
return this.#count;
}
}
return { Room };
})();
const module42 = (() => {

const icons = { work: "work", timer: "timer", host: "host" };
function originIcon({ origin = "client" }) {
return icons[origin] ?? null;
}
function isPosted({ origin = "client", pending = null }) {
return origin === "client" && pending !== null;
}
function originText({ origin = "client", pending = null }) {
if (isPosted({ origin, pending })) return `outcome of ${pending}`;
if (origin === "client") return "";
return origin === "host" ? "from the host" : ["from", origin, pending].filter(Boolean).join(" ");
}
function emitter({ origin = "client", pending = null, asked = null }) {
const version = /^\d+/.exec(pending ?? "")?.[0];
const name = asked ? `"${asked.name}"` : pending;
if (isPosted({ origin, pending })) {
return `Posted as the outcome of ${name} (pending since version ${version}):`;
}
if (origin === "client") return null;
if (origin === "host") return "The host emitted";
const who = [origin === "timer" ? "Timer" : "Background task", name].filter(Boolean).join(" ");
const verb = origin === "timer" ? "fired" : "reported";
if (version === undefined) return `${who} ${verb}`;
return `${who} (${origin === "timer" ? "set" : "started"} at version ${version}) ${verb}`;
}
return { originIcon, isPosted, originText, emitter };
})();
const module43 = (() => {

const { $, icon, make, setAttribute, setText } = module0;
const { roving, withinRows } = module39;
const { RowList } = module40;
const { Room } = module41;
const { originIcon, originText } = module42;
const { payloadText, shortName } = module9;
const unmeasured = 50;
class Journal {
#updateTabStop = roving($("entries"), ".entry-travel");
#room = new Room();
#session = null;
#total = 0;
#rows = new RowList($("entries"), { create: makeEntry, update: (row, entry) => this.#update(row, entry) });
#marked = 0;
constructor({ travel, copy, canCopy, edit, inspect, loadOlder, readOn, tools }) {
this.canCopy = canCopy;
this.tools = tools;
$("entries").addEventListener("click", ({ target }) => {
const button = target.closest("button");
const version = Number(target.closest("[data-version]")?.dataset.version);
if (button?.matches(".entry-travel")) travel(version);
if (button?.matches(".entry-copy")) copy(this.entries.find((entry) => entry.version === version));
if (button?.matches(".entry-edit")) edit(this.#session.entryOf(version) ?? { version });
if (button?.matches(".entry-json")) inspect(version);
});
withinRows($("entries"), ".entry");
$("load-older").addEventListener("click", loadOlder);
const box = $("entries").parentElement;
const end = new IntersectionObserver(async (changes) => {
if (!changes.at(-1)?.isIntersecting) return;
if (this.#room.grow(this.#total)) this.show(this.#session);
else if (!this.#session?.hasOlder || !await readOn()) return;
end.unobserve($("entries-end"));
end.observe($("entries-end"));
}, { root: box, rootMargin: "0px 0px 400px" });
end.observe($("entries-end"));
box.addEventListener("scroll", () => {
if (box.scrollTop === 0) this.#room.reset();
});
}
show(session) {
if (session.id !== this.#session?.id) {
this.#room.reset();
this.#rows.clear();
}
this.#session = session;
this.entries = session.entries;
const height = this.tools.heightBefore(session);
const wanted = this.tools.wanted(session.entries);
const hasBeginning = !session.hasOlder && !this.tools.isFiltering;
this.#total = wanted.length + (hasBeginning ? 1 : 0);
const count = this.#room.countFor(session.past === null ? -1 : placeOf(session.past.version, wanted));
this.#rows.show(wanted, Math.max(0, wanted.length - count),
hasBeginning && count > wanted.length ? { version: 0 } : null);
this.#mark(session.shown.version);
for (const entry of wanted.slice(-Math.min(unmeasured, count))) this.#measure(this.#rows.row(entry.version), entry);
this.#updateTabStop(this.#rows.row(session.shown.version)?.firstElementChild ?? null);
$("load-older").hidden = !session.hasOlder;
setText($("journal-count"), String(session.route.version));
this.tools.settle(session, { height });
}
refresh() {
this.#rows.refresh();
}
row(version) {
return this.#rows.row(version);
}
reveal(version) {
this.row(version)?.scrollIntoView({ block: "nearest" });
}
#mark(version) {
const [from, to] = [Math.min(version, this.#marked), Math.max(version, this.#marked)];
this.#marked = version;
for (let each = from; each <= to; each++) this.#markRow(this.#rows.row(each), each);
}
#markRow(row, version) {
if (row === undefined) return;
const { version: shown } = this.#session.shown;
setAttribute(row.firstElementChild, "aria-current", version === shown ? "true" : null);
row.classList.toggle("after", version > shown);
}
#update(row, entry) {
if (row.dataset.version === undefined) describe(row, entry);
this.#markRow(row, entry.version);
this.#measure(row, entry);
if (entry.version > 0) row.querySelector(".entry-copy").hidden = !this.canCopy(entry);
}
#measure(row, entry) {
if (row === undefined || row.dataset.took !== undefined || entry.version === 0) return;
showDuration(row, this.#session.tookOf(entry));
}
}
function placeOf(version, entries) {
if (version === 0) return entries.length;
const index = entries.findIndex((entry) => entry.version === version);
return index < 0 ? -1 : entries.length - 1 - index;
}
function makeEntry({ version }) {
const copies = version === 0 ? null : make("button", {
type: "button", className: "entry-tool entry-copy", tabIndex: -1, title: "Copy as curl",
"aria-label": `Copy event ${version} as curl`,
}, icon("terminal"));
return make("li", { className: "entry" },
make("button", { type: "button", className: "entry-travel", tabIndex: -1 },
make("span", { className: "entry-version" }),
make("span", { className: "entry-origin", hidden: true }),
make("span", { className: "entry-event" }),
make("span", { className: "entry-payload" }),
make("span", { className: "entry-times" },
make("time", { className: "entry-time" }), make("span", { className: "entry-took", hidden: true })),
make("span", { className: "entry-handled" }),
make("span", { className: "entry-path" })),
make("button", {
type: "button", className: "entry-tool entry-edit", tabIndex: -1, title: "Edit and replay",
"aria-label": `Edit version ${version} and replay`, "aria-haspopup": "dialog",
}, icon("edit")),
copies,
make("button", {
type: "button", className: "entry-tool entry-json", tabIndex: -1, title: "JSON",
"aria-label": `JSON of version ${version}`,
}, icon("braces")));
}
function showDuration(item, took) {
if (took === null) return;
const { text, what, isSlow } = took;
const part = item.querySelector(".entry-took");
part.replaceChildren(text, ...(isSlow ? [make("span", { className: "visually-hidden" }, ", slow")] : []));
part.title = `${what}${isSlow ? " That is slow." : ""}`;
part.hidden = false;
part.classList.toggle("slow", isSlow);
item.dataset.took = text;
}
function describe(item, entry) {
const { version, event, payload, time, handledBy, path } = entry;
item.dataset.version = version;
const part = (name) => item.querySelector(`.entry-${name}`);
setText(part("version"), String(version));
if (version === 0) {
setText(part("event"), "Session started");
item.classList.add("beginning");
return;
}
item.dataset.event = event;
setText(part("event"), event);
setText(part("payload"), payloadText(payload));
setText(part("time"), new Date(time).toLocaleTimeString([], { hour12: false }));
part("time").dateTime = time;
setText(part("handled"), handledBy === null ? "Not handled" : shortName(handledBy));
item.classList.toggle("unhandled", handledBy === null);
setText(part("path"), path);
const origin = originText(entry);
if (origin === "") return;
const symbol = originIcon(entry);
part("origin").replaceChildren(...(symbol ? [icon(symbol)] : []), origin);
part("origin").hidden = false;
}
return { Journal };
})();
const module44 = (() => {

const { readJSON, writeJSON } = module3;
function readJournal(text) {
const [header, ...entries] = text.trimEnd().split("\n").map(readJSON);
return { header, entries };
}
function journalText(header, entries) {
return [header, ...entries].map((line) => `${writeJSON(line)}\n`).join("");
}
function fileName(app, id) {
return `${plainName(app) || "journal"}-${id.slice(0, 6)}.ndjson`;
}
function plainName(...words) {
return words.join(" ").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
return { readJournal, journalText, fileName, plainName };
})();
const module45 = (() => {

const { $, setAttribute } = module0;
const delays = { "1": 1000, "4": 250, "fast": 0 };
class Scrubber {
#session = null;
#shown = 0;
#newest = 0;
#wanted = null;
#isGoing = false;
#playing = null;
#timer = 0;
constructor({ travel }) {
this.travel = travel;
$("scrubber").addEventListener("input", () => {
this.#stop();
this.#wanted = Number($("scrubber").value);
this.#go();
});
$("play").addEventListener("click", () => (this.#playing === null ? this.#play() : this.#stop()));
$("speed").addEventListener("change", () => {
if (this.#playing !== null && !this.#isGoing) this.#schedule();
});
}
show({ id, shown, route, status }) {
if (id !== this.#session) this.#stop();
this.#session = id;
this.#shown = shown.version;
this.#newest = route.version;
if (this.#playing !== null && !this.#isGoing && shown.version !== this.#playing) this.#stop();
if (this.#wanted === null && !this.#isGoing) {
$("scrubber").max = String(route.version);
$("scrubber").value = String(shown.version);
}
setAttribute($("scrubber"), "aria-valuetext", `Version ${shown.version} of ${route.version}`);
const isThere = route.version > 0 && status !== "ended";
for (const name of ["scrubber", "play"]) $(name).disabled = !isThere;
if (!isThere) this.#stop();
}
async #go() {
if (this.#isGoing) return;
this.#isGoing = true;
while (this.#wanted !== null) {
const version = this.#wanted;
this.#wanted = null;
if (!await this.travel(version)) this.#wanted = null;
}
this.#isGoing = false;
$("scrubber").max = String(this.#newest);
$("scrubber").value = String(this.#shown);
}
#play() {
this.#mark(this.#shown);
if (this.#shown === this.#newest) this.#step(0);
else this.#schedule();
}
#schedule() {
clearTimeout(this.#timer);
this.#timer = setTimeout(() => this.#step(this.#playing + 1), delays[$("speed").value]);
}
async #step(version) {
this.#mark(version);
this.#wanted = version;
await this.#go();
if (this.#playing !== version || this.#shown !== version) return this.#stop();
if (version >= this.#newest) this.#stop();
else this.#schedule();
}
#stop() {
clearTimeout(this.#timer);
this.#mark(null);
}
#mark(version) {
this.#playing = version;
setAttribute($("play"), "aria-label", version === null ? "Play" : "Pause");
$("play").title = version === null ? "Play" : "Pause";
setAttribute($("play").querySelector("use"), "href", version === null ? "#icon-play" : "#icon-pause");
}
}
return { Scrubber };
})();
const module46 = (() => {

const { eventCount } = module12;
const { ExactNumber, writeJSON } = module3;
const width = 120;
function swiftTest(header, entries, filledIn = (entry) => entry) {
const path = entries.at(-1)?.path ?? header.path ?? "/";
const body = entries.every(({ origin = "client", pending = null }) => origin === "client" && pending === null)
? emitting(header, entries.map((entry) => ({ ...entry, ...filledIn(entry) })))
: replaying(header, entries, path);
const type = identifier(header.app);
const count = eventCount(entries.length);
return [
...["CoordinateTesting", type, "Testing"].sort().map((module) => `import ${module}`),
"",
`/// Recorded in ${oneLine(header.app)} ${oneLine(header.appVersion)}: ${count}, up to ${oneLine(path)}.`,
`@Test func leadsTo${identifier(path)}() async throws {`,
"    // Create the app as its program does.",
`    try await withServer(app: ${type}App()) { server in`,
...body.map((line) => `        ${line}`),
"    }",
"}",
"",
].join("\n");
}
function emitting(header, entries) {
const client = hasFields(header.options)
? call("let client = try await server.client", [`options: ${literal(header.options)}`])
: ["let client = server.client()"];
if (entries.length === 0) return [...client, ...expectation("try await client.route().path", header.path ?? "/")];
const first = entries.length > 1 ? "var outcome" : "let outcome";
return [...client, ...entries.flatMap((entry, index) => [
...call(`${index === 0 ? first : "outcome"} = try await client.${methodFor(entry)}`, values(entry)),
...expectation("outcome.handledBy", entry.handledBy),
...expectation("outcome.path", entry.path),
])];
}
function values(entry) {
if (isLink(entry)) return [quoted(entry.payload.path)];
const { event, payload, at } = entry;
return [quoted(event), hasFields(payload) && literal(payload), `at: ${quoted(at)}`].filter(Boolean);
}
function methodFor(entry) {
return isLink(entry) ? "open" : "emit";
}
function isLink({ event, payload }) {
return event === "navigation.open" && typeof payload?.path === "string";
}
function replaying(header, entries, path) {
const lines = [header, ...entries].map((line) => writeJSON(line));
const ends = lines.flatMap((line) => line.match(/["\\]#*/g) ?? []);
const hashes = "#".repeat(ends.reduce((most, end) => Math.max(most, end.length), 1));
return [
"// The journal has outcomes of work or events from the host, so the test replays it.",
`let journal = ${hashes}"""`,
...lines.map((line) => `    ${line}`),
`    """${hashes}`,
"let client = try await server.client(replaying: Array(journal.utf8))",
...expectation("try await client.route().path", path),
];
}
function expectation(what, value) {
const line = `#expect(${what} == ${value === null ? "nil" : quoted(value)})`;
return 8 + line.length <= width ? [line] : ["#expect(", `    ${what}`, `        == ${quoted(value)})`];
}
function call(callee, parts) {
const line = `${callee}(${parts.join(", ")})`;
if (8 + line.length <= width) return [line];
const inner = `    ${parts.join(", ")})`;
if (8 + inner.length <= width) return [`${callee}(`, inner];
return [`${callee}(`, ...parts.map((part, index) => `    ${part}${index < parts.length - 1 ? "," : ")"}`)];
}
function literal(value) {
if (value === null) return ".null";
if (typeof value === "string") return quoted(value);
if (value instanceof ExactNumber) return isInt(value.text) ? value.text : `.double(${value.text})`;
if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `.double(${value})`;
if (typeof value !== "object") return `${value}`;
if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
const fields = Object.entries(value).map(([name, each]) => `${quoted(name)}: ${literal(each)}`);
return fields.length === 0 ? "[:]" : `[${fields.join(", ")}]`;
}
function isInt(text) {
return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
function quoted(text) {
const escapes = { "\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };
const escaped = text.replaceAll(/[\\"\u0000-\u001f\u007f\u2028\u2029]/g, (character) =>
escapes[character] ?? `\\u{${character.codePointAt(0).toString(16)}}`);
return `"${escaped}"`;
}
function identifier(text) {
const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
return words.map((word) => word[0].toUpperCase() + word.slice(1)).join("") || "Start";
}
function oneLine(text) {
return text.replaceAll(/\s+/g, " ");
}
function hasFields(object) {
return Object.keys(object ?? {}).length > 0;
}
return { swiftTest, literal, quoted };
})();
const module47 = (() => {

const { payloadText } = module9;
const unhandled = "unhandled";
function isWanted(entry, { text = "", handler = "", origin = "" }) {
if (origin !== "" && entry.origin !== origin) return false;
if (handler !== "" && (entry.handledBy ?? unhandled) !== handler) return false;
if (text.trim() === "") return true;
const words = text.toLowerCase().split(/\s+/).filter(Boolean);
const said = [entry.version, entry.event, payloadText(entry.payload), entry.path, entry.handledBy, entry.at]
.join(" ").toLowerCase();
return words.every((word) => said.includes(word));
}
class Sieve {
#filter = "";
#found = [];
#handlers = new Set();
#count = 0;
#ends = [];
matches(entries, filter) {
const text = JSON.stringify(filter);
const isGrown = text === this.#filter && this.#count > 0 && entries.length >= this.#count
&& entries[0] === this.#ends[0] && entries[this.#count - 1] === this.#ends[1];
if (!isGrown) {
this.#found = [];
this.#handlers = new Set();
this.#count = 0;
}
this.#filter = text;
for (const entry of entries.slice(this.#count)) {
if (isWanted(entry, filter)) this.#found.push(entry);
if (entry.handledBy !== null) this.#handlers.add(entry.handledBy);
}
this.#count = entries.length;
this.#ends = [entries[0], entries.at(-1)];
return { found: this.#found, handlers: this.#handlers };
}
}
function handlersOf(entries) {
return [...new Set(entries.map(({ handledBy }) => handledBy).filter((id) => id !== null))].sort();
}
return { unhandled, isWanted, Sieve, handlersOf };
})();
const module48 = (() => {

const { $, keyed, make, setAttribute, setText } = module0;
const { actionOf } = module1;
const { shortName } = module9;
const { Sieve, unhandled } = module47;
const margin = 4;
const fields = { text: "filter-text", handler: "filter-handler", origin: "filter-origin" };
const origins = { client: "clients", work: "work", timer: "timers", host: "the host" };
class JournalTools {
#sieve = new Sieve();
#handlers = new Set();
#isAtTop = true;
#session = null;
#newest = 0;
constructor({ changed, now }) {
$("journal-filter").addEventListener("click", () => {
const isOpen = $("journal-filters").hidden;
this.#open(isOpen);
if (isOpen) $("filter-text").focus();
else this.filter = {};
changed();
});
$("filter-text").addEventListener("input", changed);
$("filter-clear").addEventListener("click", () => {
this.filter = {};
changed();
$("filter-text").focus();
});
for (const id of [fields.handler, fields.origin]) $(id).addEventListener("change", changed);
$("journal-filters").addEventListener("submit", (event) => event.preventDefault());
$("journal-filters").addEventListener("keydown", (event) => {
if (actionOf("journal", event) !== "leave") return;
event.stopPropagation();
$("journal-filter").click();
$("journal-filter").focus();
});
$("journal-dense").addEventListener("click", () => {
$("entries").classList.toggle("dense", toggle("journal-dense", "aria-pressed"));
});
$("journal-follow").addEventListener("click", () => {
if (!toggle("journal-follow", "aria-pressed")) return;
now();
this.#scrollToTop();
});
this.#area.addEventListener("scroll", () => {
this.#isAtTop = this.#area.scrollTop === 0;
if (this.#area.scrollTop > 4) setAttribute($("journal-follow"), "aria-pressed", false);
});
setAttribute($("journal-follow"), "aria-pressed", true);
for (const [value, name] of Object.entries(origins)) {
$("filter-origin").append(make("option", { value }, `from ${name}`));
}
}
get filter() {
return Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, $(id).value]));
}
set filter({ text = "", handler = "", origin = "" }) {
const isEmpty = [text, handler, origin].every((each) => each === "");
if (!isEmpty) this.#open(true);
this.#offerHandlers(handler);
for (const [name, value] of Object.entries({ text, handler, origin })) {
if ($(fields[name]).value !== value) $(fields[name]).value = value;
}
if ($(fields.origin).selectedIndex < 0) $(fields.origin).value = "";
}
wanted(entries) {
const { found: shown, handlers } = this.#sieve.matches(entries, this.filter);
this.#handlers = handlers;
this.#offerHandlers($(fields.handler).value);
setText($("filter-count"), shown.length === entries.length
? "" : `${shown.length} of ${entries.length} entries`);
$("entries-none").hidden = shown.length > 0 || entries.length === 0;
return shown;
}
get isFiltering() {
return $("filter-count").textContent !== "";
}
heightBefore(session) {
if (session.id !== this.#session) this.#newest = 0;
this.#session = session.id;
return this.#isAtTop && !this.#isFollowing ? $("entries").offsetHeight : 0;
}
#offerHandlers(chosen) {
const ids = new Set([...[...this.#handlers].sort(), chosen]);
const handlers = [...ids].filter((id) => id !== "" && id !== unhandled);
keyed($("filter-handlers"), handlers, (id) => id, (id) => make("option", { value: id }), (option, id) => {
setText(option, shortName(id));
option.title = id;
});
}
settle(session, { height }) {
const isNew = session.route.version > this.#newest;
this.#newest = session.route.version;
if (!isNew) return;
if (this.#isFollowing) {
if (session.past === null && !this.#isAtTop) this.#scrollToTop();
} else if (this.#isAtTop) {
this.#area.scrollTop = $("entries").offsetHeight - height;
}
}
get #isFollowing() {
return $("journal-follow").getAttribute("aria-pressed") === "true";
}
#scrollToTop() {
this.#area.scrollTop = 0;
this.#isAtTop = true;
}
get #area() {
return $("entries").parentElement;
}
#open(isOpen) {
$("journal-filters").hidden = !isOpen;
setAttribute($("journal-filter"), "aria-expanded", isOpen);
}
}
function toggle(id, attribute) {
const isOn = $(id).getAttribute(attribute) !== "true";
setAttribute($(id), attribute, isOn);
return isOn;
}
class Menu {
constructor(button, list, actions, opening = () => {}) {
this.opening = opening;
this.button = $(button);
this.list = $(list);
this.button.addEventListener("click", () => this.#show(this.list.hidden));
for (const [id, action] of Object.entries(actions)) {
$(id).addEventListener("click", () => {
this.#show(false);
this.button.focus();
action();
});
}
this.list.addEventListener("keydown", (event) => {
if (actionOf("journal", event) !== "leave") return;
event.stopPropagation();
this.#show(false);
this.button.focus();
});
document.addEventListener("pointerdown", ({ target }) => {
if (!this.list.contains(target) && !this.button.contains(target)) this.#show(false);
});
addEventListener("resize", () => this.#show(false));
this.list.addEventListener("focusout", ({ relatedTarget }) => {
if (relatedTarget && !this.list.contains(relatedTarget) && relatedTarget !== this.button) this.#show(false);
});
}
#show(isShown) {
if (isShown) this.opening();
this.list.hidden = !isShown;
setAttribute(this.button, "aria-expanded", isShown);
if (!isShown) return;
this.#place();
this.list.querySelector("button:enabled")?.focus({ preventScroll: true });
}
#place() {
const { left, top, bottom } = this.button.getBoundingClientRect();
const { offsetWidth: width, offsetHeight: height } = this.list;
const isBelow = bottom + height + 2 * margin <= innerHeight || top < height + 2 * margin;
this.list.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
this.list.style.top = `${isBelow ? Math.min(bottom + margin, innerHeight - height) : top - height - margin}px`;
}
}
return { JournalTools, Menu };
})();
const module49 = (() => {

const { showBusy } = module5;
const { $ } = module0;
const { isKeyWanted, noteKey } = module29;
const { showProblemIn } = module15;
const wrongKey = { title: "Wrong key.", detail: "Check the key and try again." };
class LoginDialog {
#isSending = false;
constructor({ logIn, logOut, go }) {
for (const button of logOuts()) {
button.addEventListener("click", async () => {
if (await logOut()) go();
});
}
showLogOuts();
$("login-form").addEventListener("submit", async (event) => {
event.preventDefault();
if (this.#isSending) return;
this.#isSending = true;
showProblemIn($("login-form"), null);
try {
await showBusy($("login-send"), logIn($("login-key").value));
go();
} catch (problem) {
$("login-key").select();
showProblemIn($("login-form"), problem.isUnauthorized ? wrongKey : problem);
} finally {
this.#isSending = false;
}
});
}
open() {
noteKey();
showLogOuts();
if (!$("login").open) $("login").showModal();
}
}
const logOuts = () => document.querySelectorAll(".log-out");
function showLogOuts() {
for (const button of logOuts()) button.hidden = !isKeyWanted();
}
return { LoginDialog };
})();
const module50 = (() => {

const { eventCount } = module12;
const mostNamed = 5;
function wayText({ isLink, path, journal }) {
if (isLink) return `Opens ${path}.`;
if (journal.length === 0) return "Starts a new session.";
const names = journal.map(({ event }) => event.slice(event.indexOf(".") + 1));
const shown = names.length > mostNamed ? [...names.slice(0, mostNamed - 2), "…", names.at(-1)] : names;
return `Starts a new session and sends ${eventCount(names.length)}: ${shown.join(", ")}.`;
}
async function follow(journal, { emit, settle }) {
for (const { event, payload, at, origin = "client" } of journal) {
if (origin === "timer") return;
if (origin === "client") await emit({ event, payload, at });
else await settle();
}
}
return { wayText, follow };
})();
const module51 = (() => {

function screensOf(document, patternOf) {
const isLink = linksOf(document, patternOf);
const uses = document.coverage?.uses.states ?? [];
const wrong = document.findings.filter(isWrong);
return [...Map.groupBy(document.states, ({ screen }) => screen)].map(([name, own], id) => {
const states = own.map((state) => ({ ...state, uses: uses[state.id] ?? 0 }));
const link = states.find(isLink);
const nearest = states.reduce((best, state) => (state.journal.length < best.journal.length ? state : best));
const { title, path } = link ?? nearest;
const ids = new Set(states.map((state) => state.id));
return {
id, name, states, title, path,
pattern: patternOf(path),
paths: new Set(states.map((state) => state.path)),
journal: nearest.journal,
isLink: link !== undefined,
findings: wrong.filter(({ state }) => ids.has(state)),
uses: states.reduce((sum, state) => sum + state.uses, 0),
};
});
}
const isWrong = (finding) => finding.class !== "not-reached";
function linksOf({ states, transitions, findings, truncated }, patternOf) {
const owners = new Map();
for (const { path, screen } of states) if (!owners.has(path)) owners.set(path, screen);
const kindOf = ({ screen, path }) => `${screen} ${patternOf(path)}`;
const differing = new Set(findings
.filter(({ kind, state, journal }) =>
kind === "link-differs" && state !== null && journal.length === states[state].journal.length)
.map(({ state }) => kindOf(states[state])));
const expanded = new Set(transitions.map(({ from }) => from));
return (state) => owners.get(state.path) === state.screen && patternOf(state.path) !== null
&& !differing.has(kindOf(state)) && (!truncated || expanded.has(state.id));
}
return { screensOf, isWrong };
})();
const module52 = (() => {

const { isWrong, screensOf } = module51;
const backEvents = new Set(["navigation.back", "navigation.dismiss", "navigation.popToRoot"]);
const kinds = ["link", "back", "tab", "step"];
class Graph {
screens;
edges = [];
wrong;
unreached;
hasUsage;
#byName;
#edges = new Map();
#outgoing = new Map();
#matchers;
#patterns = new Map();
#screensAt = new Map();
constructor(document, patterns) {
const { app, appVersion, states, transitions, findings, truncated, frontier, coverage } = document;
Object.assign(this, { app, appVersion, isTruncated: truncated, frontier });
this.#matchers = patterns.map((pattern) => ({ pattern, expression: expressionFor(pattern) }));
this.hasUsage = coverage !== undefined;
this.wrong = findings.filter(isWrong);
this.unreached = findings.filter((finding) => !isWrong(finding));
this.screens = screensOf(document, (path) => this.patternOf(path));
this.#byName = new Map(this.screens.map((screen) => [screen.name, screen]));
const screenOf = states.map(({ screen }) => this.#byName.get(screen)?.id);
for (const [index, transition] of transitions.entries()) {
const ends = { from: screenOf[transition.from], to: screenOf[transition.to] };
this.#add({ ...transition, ...ends, uses: coverage?.uses.transitions[index] ?? 0 });
}
this.#outgoing = Map.groupBy(this.edges, ({ from }) => from);
}
#add({ from, to, event, payload, title, origin = "client", uses }) {
const key = `${from} ${to}`;
let edge = this.#edges.get(key);
if (!edge) {
edge = { key, from, to, kind: "link", events: [], uses: 0 };
this.#edges.set(key, edge);
this.edges.push(edge);
}
let known = edge.events.find((each) => each.event === event && each.origin === origin);
if (!known) {
known = { event, origin, kind: kindOf(event, title), titles: [], payloads: new Set(), uses: 0 };
edge.events.push(known);
}
if (title !== null && !known.titles.includes(title)) known.titles.push(title);
known.payloads.add(JSON.stringify(payload));
known.uses += uses;
edge.uses += uses;
if (kinds.indexOf(known.kind) > kinds.indexOf(edge.kind)) edge.kind = known.kind;
}
screenNamed(name) {
return this.#byName.get(name) ?? null;
}
screensAt(path) {
let found = this.#screensAt.get(path);
if (!found) {
const pattern = this.patternOf(path);
const isAlike = (each) => pattern !== null && this.patternOf(each) === pattern;
const same = this.screens.filter(({ paths }) => paths.has(path));
const alike = this.screens.filter(({ paths }) => !paths.has(path) && [...paths].some(isAlike));
found = [...same, ...alike];
this.#screensAt.set(path, found);
}
return found;
}
edge(from, to) {
return this.#edges.get(`${from} ${to}`) ?? null;
}
edgesFrom(id) {
return this.#outgoing.get(id) ?? [];
}
patternOf(path) {
const bare = path.split("?")[0];
if (!this.#patterns.has(bare)) {
this.#patterns.set(bare, this.#matchers.find(({ expression }) => expression.test(bare))?.pattern ?? null);
}
return this.#patterns.get(bare);
}
}
function kindOf(event, title) {
if (backEvents.has(event)) return "back";
if (event === "navigation.selectTab") return "tab";
return event === "navigation.open" && title === null ? "link" : "step";
}
function expressionFor(pattern) {
const parts = pattern.split("?")[0].split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
return new RegExp(`^${parts.join("[^/]+")}$`);
}
function eventText({ event, titles, origin }) {
if (origin !== "client") return `${origin}: ${event}`;
return titles.length === 1 ? titles[0] : event;
}
function edgeText({ events, kind }) {
const [first, ...others] = events.filter((each) => each.kind === kind);
const name = first.titles.length === 1 ? first.titles[0] : first.event.slice(first.event.indexOf(".") + 1);
return others.length > 0 ? `${name} +${others.length}` : name;
}
return { Graph, eventText, edgeText };
})();
const module53 = (() => {

const mostLines = 8;
const mostNames = 3;
const statuses = ["ready", "loading", "failed"];
const statesText = (count) => (count === 1 ? "1 state" : `${number(count)} states`);
function kindsOf(states) {
const kinds = [...Map.groupBy(states, signature).values()].map((own) => ({
...own[0], count: own.length, uses: own.reduce((sum, { uses = 0 }) => sum + uses, 0),
}));
if (kinds.length === 1) return [{ ...line(kinds[0]), text: onlyKindText(states, kinds[0]) }];
const varying = differences(kinds);
return kinds.length <= mostLines ? exactLines(kinds, varying) : differenceLines(kinds, varying);
}
function limited(lines) {
return { lines: lines.slice(0, mostLines), more: Math.max(0, lines.length - mostLines) };
}
const signature = ({ status, offers, pending, parked }) => JSON.stringify([status, offers, pending, parked]);
const line = ({ count, uses }) => ({ count, uses });
function onlyKindText(states, kind) {
const parts = [kind.status !== "ready" && kind.status, ...circumstances(kind)].filter(Boolean);
const text = parts.join(", ");
if (states.length === 1) return text || "ready";
return text ? `all ${text}` : "all offer the same actions";
}
function differences(kinds) {
return new Map([...Map.groupBy(kinds, ({ status }) => status)].map(([status, own]) => {
const all = [...new Set(own.flatMap(({ offers }) => offers))];
return [status, all.filter((event) => !own.every(({ offers }) => offers.includes(event)))];
}));
}
function exactLines(kinds, varying) {
const hasStatuses = varying.size > 1;
return kinds
.toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || b.count - a.count)
.map((kind) => {
const status = hasStatuses || kind.status !== "ready" ? kind.status : "";
const parts = [status, offersText(kind, varying.get(kind.status)), ...circumstances(kind)].filter(Boolean);
return { ...line(kind), text: parts.join(", ") || "ready" };
});
}
function offersText({ offers }, varying) {
const own = varying.filter((event) => offers.includes(event));
const missing = varying.filter((event) => !offers.includes(event));
if (varying.length === 0) return "";
return own.length > 0 && (own.length <= missing.length || missing.length === 0)
? `with ${named(own, varying)}` : `without ${named(missing, varying)}`;
}
function circumstances({ pending, parked }) {
return [pending.length > 0 && `waiting for ${named(pending)}`, parked && `${parked} parked`];
}
function differenceLines(kinds, varying) {
const total = (text, hasIt) => {
const own = kinds.filter(hasIt);
const sum = (name) => own.reduce((all, kind) => all + kind[name], 0);
return { text, count: sum("count"), uses: sum("uses") };
};
const pending = [...new Set(kinds.flatMap((kind) => kind.pending))];
const events = [...new Set([...varying.values()].flat())];
const together = Map.groupBy(events, (event) => kinds.map(({ offers }) => (offers.includes(event) ? 1 : 0)).join(""));
return [
...statuses.filter((status) => varying.size > 1 && varying.has(status))
.map((status) => total(status, (kind) => kind.status === status)),
...pending.map((name) => total(`waiting for ${name}`, (kind) => kind.pending.includes(name))),
total("a link is parked", ({ parked }) => parked),
...[...together.values()].map((own) => total(`with ${named(own, events)}`, ({ offers }) => offers.includes(own[0])))
.toSorted((a, b) => b.count - a.count),
].filter(({ count }) => count > 0);
}
function named(names, all = names) {
const bare = (name) => name.split("(")[0];
const isOnly = (name) => all.every((other) => other === name || bare(other) !== bare(name));
const shown = names.map((name) => (isOnly(name) ? bare(name) : name));
const more = shown.length - mostNames;
return more > 1 ? `${shown.slice(0, mostNames).join(", ")} and ${more} more` : shown.join(", ");
}
const number = (value) => value.toLocaleString("en");
return { statesText, kindsOf, limited, number };
})();
const module54 = (() => {

const { readJSON } = module3;
const { number } = module53;
const command = "explore --cover STORE > map.json";
class UsageError extends Error {}
function readUsage(text, name, app) {
const document = graphIn(text);
if (!document) throw new UsageError(`${name} is not a map. Write one with: ${command}`);
if (document.app !== app) {
throw new UsageError(`${name} is a map of ${document.app}, and this is ${app}. Open a map of ${app}.`);
}
if (!document.coverage) throw new UsageError(`${name} has no usage. Write it with: ${command}`);
if (!isComplete(document)) {
throw new UsageError(`The usage in ${name} is incomplete. Write it again with: ${command}`);
}
return document;
}
function graphIn(text) {
try {
const document = readJSON(text);
const { app, states, transitions, findings } = document;
const isGraph = typeof app === "string" && [states, transitions, findings].every(Array.isArray)
&& states.every(isState) && transitions.every((transition) => isTransition(transition, states.length));
return isGraph ? document : null;
} catch {
return null;
}
}
function isState({ id, screen, path, offers, pending, journal }, index) {
return id === index && typeof screen === "string" && typeof path === "string"
&& [offers, pending, journal].every(Array.isArray);
}
function isTransition({ from, to, event }, count) {
return typeof event === "string" && [from, to].every((id) => Number.isInteger(id) && id >= 0 && id < count);
}
function isComplete({ states, transitions, coverage: { uses } }) {
const isCounts = (counts, all) =>
Array.isArray(counts) && counts.length === all.length && counts.every(Number.isInteger);
return isCounts(uses?.states, states) && isCounts(uses?.transitions, transitions);
}
function usageText(graph, { coverage, appVersion }, name, version) {
const events = graph.edges.flatMap((edge) => edge.events);
const share = (all, what) => `${number(all.filter(({ uses }) => uses > 0).length)} of ${number(all.length)} ${what}`;
const outside = coverage.outside?.length ?? 0;
return [
`Usage from ${name}: ${share(graph.screens, "screens")}, ${share(events, "events")}`,
outside > 0 && `${number(outside)} ${outside === 1 ? "event is" : "events are"} not on the map`,
appVersion !== version && `version ${appVersion} of the app; this is ${version}`,
].filter(Boolean).join(" · ");
}
function usesText(uses) {
if (uses === 0) return "never used";
return uses === 1 ? "used once" : `used ${number(uses)} times`;
}
const timesText = (uses) => `${number(uses)}×`;
return { UsageError, readUsage, usageText, usesText, timesText };
})();
const module55 = (() => {

const { $, keyed, make, setText } = module0;
const { offeredActions } = module23;
const { wayText } = module50;
const { eventText } = module52;
const { kindsOf, limited, number, statesText } = module53;
const { timesText, usesText } = module54;
function describe(graph, screen, { here, seen }, shown) {
$("map-about").hidden = screen === null;
const leads = screen ? leadsOf(graph, screen.id, screen.id === here ? shown : null) : [];
$("map-leads-row").hidden = leads.length === 0;
showTexts($("map-leads"), leads);
showTexts($("map-findings"), screen?.findings.map(({ detail }) => detail) ?? []);
if (!screen) return setText($("map-way"), "The session is on a screen that is not on the map.");
const { id, name, states, paths, pattern, uses } = screen;
const isHere = id === here;
const isExample = !isHere && pattern?.includes("{");
const { title, path } = isHere ? { ...shown.screen, path: shown.path } : screen;
setText($("map-name"), name);
setText($("map-title"), title && title !== name ? `${isExample ? "as " : ""}“${title}”` : "");
setText($("map-path"), path);
setText($("map-paths"), otherPathsText(paths.size - 1));
setText($("map-way"), [
isHere ? "You are here." : seen.has(id) ? "Seen." : "Not seen yet.",
graph.hasUsage && `${capitalized(usesText(uses))}.`,
!isHere && wayText(screen),
].filter(Boolean).join(" "));
$("map-kinds").hidden = states.length === 1;
setText($("map-kinds-heading"), statesText(states.length));
showTexts($("map-kinds-list"), kindTexts(graph, screen));
}
function kindTexts({ hasUsage }, { states }) {
if (states.length === 1) return [];
const kinds = kindsOf(states);
const { lines, more } = limited(kinds);
const texts = lines.map(({ text, count, uses }) => [
kinds.length > 1 ? `${number(count)} ${text}` : text, hasUsage && uses > 0 && timesText(uses),
].filter(Boolean).join(" · "));
return more > 0 ? [...texts, `and ${number(more)} more`] : texts;
}
function leadsOf(graph, id, shown = null) {
const offered = shown === null ? null : offeredActions({ ...shown, tree: null });
const textOf = (event) => eventText(offered === null ? event : { ...event, titles: titlesOf(event, offered) });
const leads = graph.edgesFrom(id).flatMap(({ to, events }) => events
.filter(({ kind }) => kind !== "link")
.map((event) => [
`${textOf(event)} → ${to === id ? "stays here" : graph.screens[to].name}`,
graph.hasUsage && timesText(event.uses),
].filter(Boolean).join(" · ")));
return [...new Set(leads)];
}
function titlesOf({ event, payloads }, offered) {
const own = offered.filter((action) => action.event === event);
const exact = own.filter(({ payload }) => payloads.has(JSON.stringify(payload)));
return [...new Set((exact.length > 0 ? exact : own).map(({ title }) => title))];
}
function showTexts(list, texts) {
keyed(list, texts, (text) => text, () => make("li"), setText);
}
function otherPathsText(count) {
if (count === 0) return "";
return count === 1 ? "and 1 other path" : `and ${number(count)} other paths`;
}
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
return { describe, kindTexts, leadsOf, showTexts };
})();
const module56 = (() => {

const { readUsage } = module54;
class MapDocuments {
own = null;
usage = null;
#isReading = false;
constructor(read) {
this.read = read;
}
get shown() {
return this.usage?.document ?? this.own;
}
get isOpen() {
return this.own !== null || this.#isReading;
}
async open() {
this.#isReading = true;
try {
while (!this.own) {
const { document, delay } = await this.read();
if (document) this.own = document;
else await new Promise((resolve) => { setTimeout(resolve, 1000 * delay); });
}
} finally {
this.#isReading = false;
}
}
async openUsage(file) {
this.usage = { name: file.name, document: readUsage(await file.text(), file.name, this.own.app) };
}
}
return { MapDocuments };
})();
const module57 = (() => {

const card = { width: 188, height: 60 };
const gaps = { across: { layer: 132, card: 36 }, down: { layer: 54, card: 28 } };
const mostWithSides = 40;
function neededLinks({ edges, screens }, layer) {
const reached = new Set(edges
.filter(({ from, to, kind }) => from !== to && kind !== "link" && layer.get(from) <= layer.get(to))
.map(({ to }) => to));
return new Set(screens.slice(1).filter(({ id }) => !reached.has(id))
.map(({ id }) => edges.find(({ to, from }) => to === id && from !== id)?.key));
}
function routed(graph, places, layer, direction) {
const { edges, screens } = graph;
const needed = neededLinks(graph, layer);
const drawn = edges.map((edge) => {
const isOn = layer.get(edge.to) > layer.get(edge.from);
const isMain = edge.from !== edge.to && (needed.has(edge.key) || (edge.kind === "step" && isOn));
const isSide = edge.kind === "step" && edge.from !== edge.to && screens.length <= mostWithSides;
const role = isMain ? "main" : isSide ? "side" : "hidden";
return { ...edge, role, isOn };
});
const ports = portsOf(drawn.filter(({ role, isOn }) => role === "main" && isOn), places, direction);
return drawn.map((edge) => ({ ...edge, ...path(edge, places, direction, ports) }));
}
function portsOf(edges, places, direction) {
const cross = ({ x, y }) => (direction === "across" ? y : x);
const room = (direction === "across" ? card.height : card.width) * 0.6;
const ports = new Map();
for (const [own, other] of [["from", "to"], ["to", "from"]]) {
for (const group of Map.groupBy(edges, (edge) => edge[own]).values()) {
const step = Math.min(12, room / group.length);
group.toSorted((a, b) => cross(places.get(a[other])) - cross(places.get(b[other]))).forEach((edge, index) => {
ports.set(`${own} ${edge.key}`, (index - (group.length - 1) / 2) * step);
});
}
}
return ports;
}
function jump({ places, direction }, from, to) {
return path({ key: `${from} ${to}`, from, to, isOn: false }, places, direction, new Map());
}
function path({ key, from, to, isOn }, places, direction, ports) {
const a = places.get(from);
const b = places.get(to);
if (from === to) return loop(a);
const isAcross = direction === "across";
const start = { ...a };
const end = { ...b };
const shift = ports.get(`from ${key}`) ?? 0;
const landing = ports.get(`to ${key}`) ?? 0;
if (isOn) {
if (isAcross) {
Object.assign(start, { x: a.x + card.width / 2, y: a.y + shift });
Object.assign(end, { x: b.x - card.width / 2, y: b.y + landing });
const half = Math.max(40, (end.x - start.x) / 2);
return curve(start, { x: start.x + half, y: start.y }, { x: end.x - half, y: end.y }, end);
}
Object.assign(start, { x: a.x + shift, y: a.y + card.height / 2 });
Object.assign(end, { x: b.x + landing, y: b.y - card.height / 2 });
const half = Math.max(24, (end.y - start.y) / 2);
return curve(start, { x: start.x, y: start.y + half }, { x: end.x, y: end.y - half }, end);
}
if (isAcross ? Math.abs(a.x - b.x) < 1 : Math.abs(a.y - b.y) < 1) {
const bow = 34 + Math.min(40, (isAcross ? Math.abs(a.y - b.y) : Math.abs(a.x - b.x)) / 8);
if (isAcross) {
const side = card.width / 2;
return curve({ x: a.x - side, y: a.y + 8 * Math.sign(b.y - a.y) }, { x: a.x - side - bow, y: a.y },
{ x: b.x - side - bow, y: b.y }, { x: b.x - side, y: b.y - 8 * Math.sign(b.y - a.y) });
}
const side = card.height / 2;
return curve({ x: a.x + 20 * Math.sign(b.x - a.x), y: a.y + side }, { x: a.x, y: a.y + side + bow },
{ x: b.x, y: b.y + side + bow }, { x: b.x - 20 * Math.sign(b.x - a.x), y: b.y + side });
}
if (isAcross) {
const side = card.height / 2;
const sag = 46 + Math.abs(a.x - b.x) / 9;
const low = Math.max(a.y, b.y) + side + sag;
return curve({ x: a.x - 24, y: a.y + side }, { x: a.x - 30, y: low }, { x: b.x + 30, y: low },
{ x: b.x + 24, y: b.y + side });
}
const side = card.width / 2;
const sag = 40 + Math.abs(a.y - b.y) / 7;
const far = Math.max(a.x, b.x) + side + sag;
return curve({ x: a.x + side, y: a.y - 10 }, { x: far, y: a.y - 14 }, { x: far, y: b.y + 14 },
{ x: b.x + side, y: b.y + 10 });
}
function loop({ x, y }) {
const right = x + card.width / 2;
const top = y - card.height / 2;
return curve({ x: right - 34, y: top }, { x: right - 40, y: top - 34 }, { x: right + 26, y: top - 30 },
{ x: right - 2, y: top + 14 });
}
function curve(a, b, c, d) {
const text = (point) => `${round(point.x)} ${round(point.y)}`;
return { points: [a, b, c, d], path: `M${text(a)}C${text(b)} ${text(c)} ${text(d)}` };
}
function pointOn([a, b, c, d], t) {
const s = 1 - t;
const at = (name) => s ** 3 * a[name] + 3 * s * s * t * b[name] + 3 * s * t * t * c[name] + t ** 3 * d[name];
return { x: at("x"), y: at("y") };
}
const round = (value) => Math.round(value * 10) / 10;
return { card, gaps, routed, jump, pointOn };
})();
const module58 = (() => {

const smallestText = 11;
const baseText = 12;
const step = 1.04;
const readable = 0.46;
function zoomFor(scale) {
const steps = Math.max(0, Math.ceil(Math.log(smallestText / (baseText * scale)) / Math.log(step)));
const level = steps === 0 ? "near" : scale >= readable ? "middle" : "far";
return { level, size: steps === 0 ? baseText : baseText * step ** steps };
}
const room = (width, size, share) => Math.max(1, Math.floor(width / (size * share)));
const shares = { bold: 0.66, plain: 0.56, mono: 0.605 };
function shortened(text, length) {
return text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
}
function shortenedPath(path, length) {
return path.length > length ? `…${path.slice(1 - length)}` : path;
}
function nameLines(name, length, mostLines) {
const words = name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=\s)/);
if (name.length <= length || mostLines === 1 || words.length < 2) return [shortened(name, length)];
const breaks = words.slice(1).map((_, index) =>
[words.slice(0, index + 1), words.slice(index + 1)].map((line) => line.join("")));
const longest = (lines) => Math.max(...lines.map((line) => line.trim().length));
const [best] = breaks.toSorted((a, b) => longest(a) - longest(b));
return best.map((line) => shortened(line, length));
}
return { smallestText, baseText, readable, zoomFor, room, shares, shortened, shortenedPath, nameLines };
})();
const module59 = (() => {

const { draw, setAttribute, setText } = module0;
const { card } = module57;
const { statesText } = module53;
const { timesText, usesText } = module54;
const { baseText, nameLines, room, shares, shortened, shortenedPath } = module58;
const left = -card.width / 2;
const top = -card.height / 2;
const inset = 14;
const nameSize = 15;
const largestMark = 19;
function makeCard(screen, { x, y }, hasUsage) {
const { id, name, title, states, uses } = screen;
const outline = { x: left, y: top, width: card.width, height: card.height, rx: 14 };
const element = draw("g", {
class: "map-screen", role: "button", tabindex: -1, "data-screen": id, transform: `translate(${x} ${y})`,
"aria-describedby": "map-details",
},
states.length > 1 ? draw("rect", { ...outline, class: "map-behind", transform: "translate(5 5)" }) : null,
draw("rect", { ...outline, class: "map-card" }),
draw("g", { class: "map-texts" }),
draw("title"));
setText((element.lastElementChild), title && title !== name ? `${name}: ${title}` : name);
element.classList.toggle("unused", hasUsage && uses === 0);
return element;
}
function writeCard(element, screen, { level, size }, hasUsage) {
const texts = { near: nearTexts, middle: middleTexts, far: () => [] }[level](screen, size, hasUsage);
element.querySelector(".map-texts").replaceChildren(...texts, ...findingMark(screen, level, size));
}
function describeCard(element, { name, id, states, findings, uses }, { here, seen }, hasUsage) {
setAttribute(element, "aria-current", id === here ? "location" : null);
setAttribute(element, "aria-label", [
name, id === here ? "you are here" : seen.has(id) ? "seen" : "not seen yet", id === 0 && "the start",
states.length > 1 && statesText(states.length), hasUsage && usesText(uses),
findings.length > 0 && (findings.length === 1 ? "1 finding" : `${findings.length} findings`),
].filter(Boolean).join(", "));
}
function nearTexts(screen, size, hasUsage) {
const { id, name, pattern, path, uses } = screen;
const width = card.width - 2 * inset;
const second = hasUsage ? usesText(uses) : shortenedPath(pattern ?? path, room(width, size, shares.mono));
return [
text("map-name", [shortened(name, room(width, nameSize, shares.bold))], left + inset, top + 26, nameSize),
text(hasUsage ? "map-uses" : "map-path", [second], left + inset, top + 45, size),
...statesMark(screen, size),
...(id === 0 ? [upperMark("map-start", "Start")] : []),
upperMark("map-here", "You are here"),
];
}
function middleTexts(screen, size, hasUsage) {
const own = Math.max(nameSize, size);
const height = own * 1.1;
const hasMarks = size <= largestMark;
const canBreak = hasMarks || !hasUsage;
const names = nameLines(screen.name, room(card.width - 12, own, shares.bold), canBreak ? 2 : 1);
const isLine = hasUsage && (names.length + 1) * height <= card.height;
const marks = !hasMarks || isLine ? [] : hasUsage ? [usesMark(screen, size)] : statesMark(screen, size);
const lift = names.length > 1 && marks.length > 0 ? size * 0.3 : 0;
const first = -((names.length + (isLine ? 1 : 0)) * height) / 2 + own * 0.9 - lift;
const fits = usesText(screen.uses).length <= room(card.width - 12, size, shares.plain);
const usage = fits ? usesText(screen.uses) : timesText(screen.uses);
return [
text("map-name", names, 0, first, own, height),
...(isLine ? [text("map-uses", [usage], 0, first + names.length * height, size)] : []),
...marks,
];
}
function text(className, lines, x, y, size, height = 0) {
return draw("text", { class: className, "font-size": size, "text-anchor": x === 0 ? "middle" : "start" },
...lines.map((line, index) => draw("tspan", { x, y: y + index * height }, line)));
}
function upperMark(className, words) {
const width = words.length * baseText * shares.bold + 14;
return draw("g", { class: className, transform: `translate(${left + 8} ${top})` },
draw("rect", { x: 0, y: -9, width, height: 18, rx: 9 }),
draw("text", { x: width / 2, y: 4.2, "font-size": baseText, "text-anchor": "middle" }, words));
}
function statesMark({ states }, size) {
return states.length > 1 ? [lowerMark("map-states", statesText(states.length), size)] : [];
}
const usesMark = ({ uses }, size) => lowerMark("map-uses", usesText(uses), size);
function lowerMark(className, words, size) {
const width = words.length * size * shares.plain + size;
const height = size * 1.4;
return draw("g", { class: className, transform: `translate(${-left - width - 6} ${-top})` },
draw("rect", { x: 0, y: -height / 2, width, height, rx: height / 2 }),
draw("text", { x: width / 2, y: size * 0.35, "font-size": size, "text-anchor": "middle" }, words));
}
function findingMark({ findings }, level, size) {
if (findings.length === 0) return [];
const sign = draw("text", { y: size * 0.4, "font-size": size * 1.1, "text-anchor": "middle" }, "!");
return [draw("g", { class: "map-finding", transform: `translate(${-left - 4} ${top + 4})` },
draw("circle", { r: size * 0.85 }), level === "far" ? null : sign)];
}
return { makeCard, writeCard, describeCard };
})();
const module60 = (() => {

const { card, gaps, pointOn } = module57;
const { edgeText } = module52;
const { timesText } = module54;
const { room, shares, shortened } = module58;
const longest = 20;
const overhang = 0.75;
function labelsOf(edges, plan, { size, hasUsage }) {
const lower = overhang * size;
const taken = [...plan.places.values()]
.map(({ x, y }) => box(x, y + lower / 2, card.width + 4, card.height + 4 + lower));
const length = plan.direction === "across"
? Math.min(longest, room(gaps.across.layer - 14, size, shares.plain)) : longest;
return edges.flatMap((edge) => {
const text = labelText(edge, length, hasUsage);
const point = freePoint(edge, text.length * size * shares.plain + 6, size * 1.35, taken);
return point ? [{ edge, text, ...point }] : [];
});
}
function labelText(edge, length, hasUsage) {
if (!hasUsage) return shortened(edgeText(edge), length);
const times = ` ${timesText(edge.uses)}`;
return shortened(edgeText(edge), Math.max(4, length - times.length)) + times;
}
function freePoint({ points }, width, height, taken) {
for (const t of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]) {
const point = pointOn(points, t);
const own = box(point.x, point.y, width, height);
if (taken.some((other) => overlap(own, other))) continue;
taken.push(own);
return point;
}
return null;
}
function box(x, y, width, height) {
return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}
function overlap(a, b) {
return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
return { labelsOf, box, overlap };
})();
const module61 = (() => {

const { card } = module57;
const { box, overlap } = module60;
const { shares, shortened } = module58;
const longest = 28;
const most = 24;
function tagsOf(screens, places, size) {
const taken = [];
return screens.slice(0, most).flatMap(({ id, name: whole }) => {
const name = shortened(whole, longest);
const { x, y: middle } = places.get(id);
const width = name.length * size * shares.bold + size;
const height = size * 1.6;
const y = middle - card.height / 2 - height / 2 - size * 0.2;
const own = box(x, y, width, height);
if (taken.some((other) => overlap(own, other))) return [];
taken.push(own);
return [{ id, name, x, y, width, height }];
});
}
return { tagsOf };
})();
const module62 = (() => {

const { draw, setAttribute } = module0;
const { describeCard, makeCard, writeCard } = module59;
const { jump } = module57;
const { labelsOf } = module60;
const { tagsOf } = module61;
const { zoomFor } = module58;
const arrows = ["main", "side", "way", "chosen", "aside"];
const largestLabel = 20;
const widths = { least: 1.5, most: 7 };
class Drawing {
#cards = new Map();
#edges = new Map();
#plan = null;
#graph = null;
#layers = Object.fromEntries(["groups", "edges", "jumps", "labels", "cards", "tags"]
.map((name) => [name, draw("g", { class: `map-${name}` })]));
#zoom = zoomFor(1);
#shown = null;
#found = null;
constructor(area) {
this.content = draw("g", {}, ...Object.values(this.#layers));
area.append(draw("defs", {}, ...arrows.map((name) => draw("marker", {
id: `map-arrow-${name}`, class: `map-arrow ${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4,
markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto",
}, draw("path", { d: "M0 0.5L8 4L0 7.5Z" })))), this.content);
this.area = area;
}
card(id) {
return this.#cards.get(id);
}
build(graph, plan) {
this.#graph = graph;
this.#plan = plan;
this.#shown = null;
this.area.classList.toggle("usage", graph.hasUsage);
const { groups, edges, jumps, labels, cards, tags } = this.#layers;
for (const layer of [jumps, labels, tags]) layer.replaceChildren();
groups.replaceChildren(...plan.groups.map(makeGroup));
const most = Math.max(1, ...plan.edges.filter(({ from, to }) => from !== to).map(({ uses }) => uses));
this.#edges = new Map(plan.edges.map((edge) => [edge.key, makeEdge(edge, graph.hasUsage ? most : null)]));
edges.replaceChildren(...this.#edges.values());
const active = (document.activeElement);
const focused = active && this.area.contains(active) ? active.dataset.screen : undefined;
this.#cards = new Map(graph.screens.map((screen) =>
[screen.id, makeCard(screen, plan.places.get(screen.id), graph.hasUsage)]));
cards.replaceChildren(...this.#cards.values());
if (focused !== undefined) this.card(Number(focused))?.focus({ preventScroll: true });
this.#write();
this.mark(this.#found);
}
zoom(scale) {
const zoom = zoomFor(scale);
setAttribute(this.area, "data-zoom", zoom.level);
const isSame = zoom.size === this.#zoom.size;
this.#zoom = zoom;
if (isSame || !this.#graph) return;
this.#write();
this.#label();
}
show(overlay, chosen, isAsked) {
this.#shown = { overlay, chosen, isAsked };
const { here, seen, way, jumps, last } = overlay;
for (const screen of this.#graph.screens) {
const element = this.card(screen.id);
element.classList.toggle("here", screen.id === here);
element.classList.toggle("seen", seen.has(screen.id));
element.classList.toggle("chosen", isAsked && screen.id === chosen);
describeCard(element, screen, overlay, this.#graph.hasUsage);
}
for (const edge of this.#plan.edges) {
const element = this.#edges.get(edge.key);
const isChosen = edge.from === chosen && (isAsked || edge.role !== "hidden") && edge.from !== edge.to;
const isWay = way.has(edge.key);
const isAside = isAsked && !isChosen && edge.to !== chosen;
const look = isAsked && isChosen ? "chosen"
: isAside ? "aside" : isWay ? "way" : edge.role === "main" ? "main" : "side";
element.classList.toggle("hidden", edge.role === "hidden" && !isWay && !isChosen && !isUsed(edge));
element.classList.toggle("way", isWay);
element.classList.toggle("last", edge.key === last);
element.classList.toggle("chosen", isAsked && isChosen);
element.classList.toggle("aside", isAside);
setAttribute(element, "marker-end", `url(#map-arrow-${look})`);
}
this.#layers.jumps.replaceChildren(...[...jumps].map(([key, [from, to]]) => draw("path", {
class: `map-edge way jump${key === last ? " last" : ""}`, d: jump(this.#plan, from, to).path,
"marker-end": "url(#map-arrow-way)",
})));
this.#label();
}
mark(found) {
this.#found = found;
for (const [id, element] of this.#cards) {
element.classList.toggle("found", found !== null && found.has(id));
element.classList.toggle("unmatched", found !== null && !found.has(id));
}
this.#tag();
}
#write() {
for (const screen of this.#graph.screens) {
writeCard(this.card(screen.id), screen, this.#zoom, this.#graph.hasUsage);
}
}
#label() {
if (!this.#shown) return;
const { overlay: { way }, chosen, isAsked } = this.#shown;
const { size, level } = this.#zoom;
const isFirst = ({ from, to }) => isAsked && from === chosen && from !== to;
const isNamed = (edge) => size <= largestLabel && (edge.role === "main" || isUsed(edge));
const edges = level === "far" ? [] : this.#plan.edges.filter((edge) => isNamed(edge) || isFirst(edge));
const sorted = edges.toSorted((a, b) =>
isFirst(b) - isFirst(a) || way.has(b.key) - way.has(a.key) || b.uses - a.uses);
const labels = labelsOf(sorted, this.#plan, { size, hasUsage: this.#graph.hasUsage });
this.#layers.labels.replaceChildren(...labels.map(({ edge, text, x, y }) => {
const look = isFirst(edge) ? "chosen" : isAsked ? "aside" : way.has(edge.key) ? "way" : "";
return draw("text", { class: `map-label ${look}`, "font-size": size, x, y: y + size * 0.34 }, text);
}));
this.#tag();
}
#tag() {
const { overlay, chosen } = this.#shown ?? {};
const ids = this.#zoom.level === "far" ? [chosen, overlay?.here, ...(this.#found ?? [])] : [];
const named = [...new Set(ids)].filter((id) => this.#cards.has(id));
const tags = tagsOf(named.map((id) => this.#graph.screens[id]), this.#plan?.places, this.#zoom.size);
this.#layers.tags.replaceChildren(...tags.map(({ id, name, x, y, width, height }) =>
draw("g", { class: `map-tag${id === overlay?.here ? " here" : ""}`, transform: `translate(${x} ${y})` },
draw("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 3 }),
draw("text", { y: this.#zoom.size * 0.34, "font-size": this.#zoom.size, "text-anchor": "middle" }, name))));
}
}
const isUsed = ({ uses, from, to }) => uses > 0 && from !== to;
function makeGroup({ x, y, width, height }) {
return draw("g", {},
draw("rect", { class: "map-group", x, y, width, height, rx: 20 }),
draw("text", { class: "map-group-name", x: x + 16, y: y - 7 }, "Tabs"));
}
function makeEdge({ path, role, key, uses }, most) {
const element = draw("path", { class: `map-edge ${role}`, d: path, "data-edge": key });
if (most === null) return element;
element.classList.toggle("unused", uses === 0);
const share = Math.log1p(uses) / Math.log1p(most);
element.style.strokeWidth = String(widths.least + (widths.most - widths.least) * Math.min(1, share));
return element;
}
return { Drawing };
})();
const module63 = (() => {

const shortLine = 10;
const sweeps = 12;
function layersOf({ screens, edges }) {
const depth = new Map();
const outgoing = Map.groupBy(edges, ({ from }) => from);
const walk = (seeds, kinds) => {
const queue = [...seeds];
const settled = new Set(depth.keys());
while (queue.length > 0) {
const id = queue.shift();
for (const { to, kind } of outgoing.get(id) ?? []) {
if (!kinds.includes(kind) || settled.has(to)) continue;
const next = depth.get(id) + (kind === "tab" ? 0 : 1);
if ((depth.get(to) ?? Infinity) <= next) continue;
depth.set(to, next);
if (kind === "tab") queue.unshift(to);
else queue.push(to);
}
}
};
if (screens.length > 0) depth.set(0, 0);
walk([0], ["step", "tab"]);
for (const { from, to } of edges.filter(({ kind }) => kind === "link")) {
if (depth.has(to) || !depth.has(from)) continue;
depth.set(to, depth.get(from) + 1);
walk([to], ["step", "tab"]);
}
walk([...depth.keys()], ["step", "tab", "back", "link"]);
const layers = [];
for (const { id } of screens) (layers[depth.get(id) ?? 0] ??= []).push(id);
return layers.filter(Boolean);
}
const longestLine = (screens) => Math.max(shortLine, Math.ceil(Math.sqrt(screens)));
function broken(ids, longest = shortLine) {
const count = Math.ceil(ids.length / longest);
const length = Math.ceil(ids.length / count);
return Array.from({ length: count }, (_, index) => ids.slice(index * length, (index + 1) * length));
}
function tabGroups({ edges }, layers) {
const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
const pairs = new Set(edges.filter(({ kind }) => kind === "tab").map(({ key }) => key));
const groups = [];
for (const ids of layers) {
const free = new Set(ids);
for (const id of ids) {
if (!free.has(id)) continue;
const group = ids.filter((other) => free.has(other)
&& (other === id || (pairs.has(`${id} ${other}`) && pairs.has(`${other} ${id}`)))
&& layer.get(other) === layer.get(id));
if (group.length < 2) continue;
for (const each of group) free.delete(each);
groups.push(group);
}
}
return groups;
}
function untangle(lines, { edges }, groups) {
const forward = edges.filter(({ from, to, kind }) => from !== to && kind === "step");
const neighbours = new Map();
for (const { from, to } of forward) {
(neighbours.get(from) ?? neighbours.set(from, []).get(from)).push(to);
(neighbours.get(to) ?? neighbours.set(to, []).get(to)).push(from);
}
const groupOf = new Map(groups.flatMap((group, index) => group.map((id) => [id, index])));
let best = lines.map((ids) => [...ids]);
let fewest = crossings(lines, forward);
for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
const isDown = sweep % 2 === 0;
const indices = lines.map((_, index) => index);
for (const index of isDown ? indices.slice(1) : indices.slice(0, -1).reverse()) {
const place = placesIn(lines);
const isNear = (id) => (isDown ? place.get(id).line < index : place.get(id).line > index);
const wish = new Map(lines[index].map((id, at) => {
const near = (neighbours.get(id) ?? []).filter(isNear).map((other) => place.get(other).share);
return [id, near.length > 0 ? mean(near) : at / Math.max(1, lines[index].length - 1)];
}));
const groupWish = (id) => {
const group = groups[groupOf.get(id)]?.filter((other) => wish.has(other));
return group ? mean(group.map((other) => wish.get(other))) : wish.get(id);
};
lines[index] = lines[index]
.map((id, at) => ({ id, at, whole: groupWish(id), group: groupOf.get(id) ?? -1 - id, own: wish.get(id) }))
.sort((a, b) => a.whole - b.whole || a.group - b.group || a.own - b.own || a.at - b.at)
.map(({ id }) => id);
}
const count = crossings(lines, forward);
if (count >= fewest) continue;
fewest = count;
best = lines.map((ids) => [...ids]);
}
lines.splice(0, lines.length, ...best);
}
function placesIn(lines) {
return new Map(lines.flatMap((ids, line) => ids.map((id, at) => [id, {
line, at, share: ids.length > 1 ? at / (ids.length - 1) : 0.5,
}])));
}
function crossings(lines, edges) {
const place = placesIn(lines);
const between = Map.groupBy(
edges.map(({ from, to }) => [place.get(from), place.get(to)]).filter(([a, b]) => b.line > a.line),
([a, b]) => `${a.line} ${b.line}`);
let count = 0;
for (const pairs of between.values()) {
for (let i = 0; i < pairs.length; i++) {
for (let j = 0; j < i; j++) {
if ((pairs[i][0].at - pairs[j][0].at) * (pairs[i][1].at - pairs[j][1].at) < 0) count++;
}
}
}
return count;
}
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
return { layersOf, longestLine, broken, tabGroups, untangle, placesIn, mean };
})();
const module64 = (() => {

const { card, gaps, pointOn, routed } = module57;
const { broken, layersOf, longestLine, mean, placesIn, tabGroups, untangle } = module63;
function layout(graph, direction) {
const layers = layersOf(graph);
const longest = longestLine(graph.screens.length);
const lines = layers.flatMap((ids) => broken(ids, longest));
const groups = tabGroups(graph, layers);
untangle(lines, graph, groups);
const positions = spread(lines, graph, groups, direction);
const places = new Map();
const deep = direction === "across" ? card.width : card.height;
const gap = gaps[direction].layer;
lines.forEach((ids, index) => {
for (const id of ids) {
const main = index * (deep + gap) + deep / 2;
const cross = positions.get(id);
places.set(id, direction === "across" ? { x: main, y: cross } : { x: cross, y: main });
}
});
const size = settle(places);
const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
const edges = routed(graph, places, layer, direction);
return { direction, places, edges, layer, size, groups: boxes(groups, places) };
}
function spread(lines, { edges }, groups, direction) {
const length = direction === "across" ? card.height : card.width;
const step = length + gaps[direction].card;
const position = new Map();
for (const ids of lines) ids.forEach((id, at) => position.set(id, (at - (ids.length - 1) / 2) * step));
const near = new Map();
const line = placesIn(lines);
for (const { from, to, kind } of edges) {
if (kind !== "step" || line.get(from).line === line.get(to).line) continue;
(near.get(from) ?? near.set(from, []).get(from)).push(to);
(near.get(to) ?? near.set(to, []).get(to)).push(from);
}
for (let round = 0; round < 6; round++) {
const isDown = round % 2 === 0;
for (const ids of isDown ? lines : lines.toReversed()) {
const wishes = ids.map((id) => {
const others = (near.get(id) ?? []).filter((other) =>
(isDown ? line.get(other).line < line.get(id).line : line.get(other).line > line.get(id).line));
return others.length > 0 ? mean(others.map((other) => position.get(other))) : position.get(id);
});
fitted(wishes, step).forEach((value, at) => position.set(ids[at], value));
}
}
return position;
}
function fitted(wishes, step) {
const blocks = [];
wishes.forEach((wish, index) => {
blocks.push({ sum: wish - index * step, count: 1 });
while (blocks.length > 1) {
const last = blocks.at(-1);
const before = blocks.at(-2);
if (before.sum / before.count <= last.sum / last.count) break;
blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
}
});
return blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
.map((value, index) => value + index * step);
}
function settle(places) {
const all = [...places.values()];
if (all.length === 0) return { width: 0, height: 0 };
const left = Math.min(...all.map(({ x }) => x)) - card.width / 2;
const top = Math.min(...all.map(({ y }) => y)) - card.height / 2;
for (const place of all) {
place.x -= left;
place.y -= top;
}
return {
width: Math.max(...all.map(({ x }) => x)) + card.width / 2,
height: Math.max(...all.map(({ y }) => y)) + card.height / 2,
};
}
function boxes(groups, places) {
const margin = 12;
return groups.map((ids) => {
const all = ids.map((id) => places.get(id));
const x = Math.min(...all.map((place) => place.x)) - card.width / 2 - margin;
const y = Math.min(...all.map((place) => place.y)) - card.height / 2 - margin;
return {
x, y, ids,
width: Math.max(...all.map((place) => place.x)) + card.width / 2 + margin - x,
height: Math.max(...all.map((place) => place.y)) + card.height / 2 + margin - y,
};
});
}
function boundsOf({ size: { width, height }, groups, edges }) {
const swings = edges.filter(({ role }) => role !== "hidden").map(({ points }) => pointOn(points, 0.5));
const lowest = (values) => values.reduce((a, b) => Math.min(a, b));
const highest = (values) => values.reduce((a, b) => Math.max(a, b));
const left = lowest([0, ...groups.map(({ x }) => x), ...swings.map(({ x }) => x - 4)]);
const top = lowest([-12, ...groups.map(({ y }) => y - 18)]);
const right = highest([width + 6, ...groups.map((group) => group.x + group.width), ...swings.map(({ x }) => x + 4)]);
const bottom = highest([height + 12, ...groups.map((group) => group.y + group.height),
...swings.map(({ y }) => y + 4)]);
return { x: left, y: top, width: right - left, height: bottom - top };
}
const directions = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
function neighbour({ places }, id, direction) {
const [dx, dy] = directions[direction];
const from = places.get(id);
let best = null;
let least = Infinity;
for (const [other, place] of places) {
const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
if (along < 1 || aside > 3 * along) continue;
const distance = along + 2 * aside;
if (distance < least) [best, least] = [other, distance];
}
return best;
}
return { layout, boundsOf, directions, neighbour };
})();
const module65 = (() => {

const { $, keyed, make, setAttribute, setText } = module0;
const { kindTexts, leadsOf, showTexts } = module55;
const { statesText } = module53;
const { usesText } = module54;
function showList(graph, { here, seen }, found) {
keyed($("map-list"), graph.screens, ({ id }) => id, makeItem, (item, screen) => {
const [button, state, kinds, leads] = item.children;
item.hidden = found !== null && !found.has(screen.id);
setText(button, screen.name);
setAttribute(button, "aria-current", screen.id === here ? "location" : null);
setText(state, [
screen.id === here ? "you are here" : seen.has(screen.id) ? "seen" : "not seen yet",
graph.hasUsage && usesText(screen.uses), screen.states.length > 1 && statesText(screen.states.length),
].filter(Boolean).join(", "));
showTexts(kinds, kindTexts(graph, screen));
showTexts(leads, leadsOf(graph, screen.id));
});
}
function makeItem({ id }) {
return make("li", {}, make("button", { type: "button", "data-screen": id }), " ", make("span"),
make("ul", { className: "map-list-kinds", "aria-label": "States" }), make("ul", { "aria-label": "Leads to" }));
}
return { showList };
})();
const module66 = (() => {

const { $, setText } = module0;
const { showTexts } = module55;
const { number, statesText } = module53;
function stateText({ isTruncated, frontier, screens }) {
return [
isTruncated && `The map is incomplete: the server stopped exploring, and ${statesText(frontier)} may lead further. `
+ "It does not list what it did not reach.",
screens.length === 0 && "The app has no screens.",
].filter(Boolean).join(" ");
}
const findingsText = (count) => (count === 1 ? "1 finding" : `${number(count)} findings`);
const unreachedText = (count) => `${number(count)} not reached`;
function showFindings({ wrong, unreached }) {
show("map-notes", wrong, findingsText);
show("map-unreached", unreached, unreachedText);
}
function show(id, findings, textOf) {
$(id).hidden = findings.length === 0;
setText($(`${id}-count`), textOf(findings.length));
showTexts($(`${id}-list`), findings.map(({ detail }) => detail));
}
return { stateText, findingsText, unreachedText, showFindings };
})();
const module67 = (() => {

function overlay(graph, { entries, version, names }) {
const seen = new Set();
const way = new Map();
const jumps = new Map();
let last = null;
let place = null;
const come = (id, isStep) => {
if (id !== null) seen.add(id);
if (isStep && place !== null && id !== null && place !== id) {
last = `${place} ${id}`;
if (graph.edge(place, id)) way.set(last, (way.get(last) ?? 0) + 1);
else jumps.set(last, [place, id]);
} else if (isStep) {
last = null;
}
place = id;
};
const first = entries[0]?.version ?? version + 1;
const known = (version, otherwise) =>
(names.has(version) ? graph.screenNamed(names.get(version))?.id ?? null : otherwise());
come(known(first - 1, () => (first === 1 ? graph.screens[0]?.id ?? null : null)), false);
for (const entry of entries) {
if (entry.version > version) break;
come(known(entry.version, () => screenAfter(graph, place, entry)), true);
}
return { here: place, seen, way, jumps, last };
}
function screenAfter(graph, from, { event, payload, path }) {
const fitting = graph.screensAt(path);
const steps = from === null ? [] : graph.edgesFrom(from)
.flatMap((edge) => edge.events.filter((each) => each.event === event).map((each) => ({ to: edge.to, ...each })));
const sent = JSON.stringify(payload);
const exact = steps.filter(({ payloads }) => payloads.has(sent));
const isFitting = ({ to }) => fitting.some(({ id }) => id === to);
const step = exact.find(isFitting) ?? steps.find(isFitting);
if (step) return step.to;
if (fitting.length > 0) return fitting[0].id;
const ends = new Set((exact.length > 0 ? exact : steps).map(({ to }) => to));
return ends.size === 1 ? [...ends][0] : null;
}
return { overlay };
})();
const module68 = (() => {

const known = new Map();
let context = null;
function plainColor(text) {
let plain = known.get(text);
if (plain === undefined) {
plain = painted(text);
known.set(text, plain);
}
return plain;
}
function painted(text) {
context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
if (context === null) return { color: "#000000", opacity: 1 };
context.clearRect(0, 0, 1, 1);
context.fillStyle = text;
context.fillRect(0, 0, 1, 1);
const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
const digits = [red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("");
return { color: `#${digits}`, opacity: Math.round(alpha / 2.55) / 100 };
}
return { plainColor };
})();
const module69 = (() => {

const { draw } = module0;
const { save } = module36;
const density = 2;
const mostPixels = 8192;
function svgText(drawing) {
return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
}
function pixelSize(width, height) {
const scale = Math.min(density, mostPixels / Math.max(width, height));
return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
function saveSVG(drawing, name) {
save(svgText(drawing), `${name}.svg`, "image/svg+xml");
}
async function savePNG(drawing, name) {
const { width, height } = pixelSize(Number(drawing.getAttribute("width")), Number(drawing.getAttribute("height")));
const address = URL.createObjectURL(new Blob([svgText(drawing)], { type: "image/svg+xml" }));
try {
const image = new Image();
image.src = address;
await image.decode();
const canvas = Object.assign(document.createElement("canvas"), { width, height });
canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
const file = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
if (file !== null) save(file, `${name}.png`, "image/png");
} finally {
URL.revokeObjectURL(address);
}
}
function emptyDrawing({ x = 0, y = 0, width, height }, title, ground = null) {
const drawing = draw("svg", { width, height, viewBox: `${x} ${y} ${width} ${height}`, role: "img" });
drawing.append(draw("title", {}, title));
if (ground !== null) drawing.append(draw("rect", { x, y, width, height, fill: ground }));
return drawing;
}
return { density, svgText, pixelSize, saveSVG, savePNG, emptyDrawing };
})();
const module70 = (() => {

const { draw } = module0;
const { plainColor } = module68;
const { emptyDrawing } = module69;
const { Drawing } = module62;
const { boundsOf } = module64;
const margin = 24;
const colors = ["fill", "stroke"];
const properties = Object.entries({
"fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1", "stroke-dasharray": "none",
"stroke-linejoin": "miter", "paint-order": "normal", "font-family": "", "font-size": "", "font-weight": "400",
"text-anchor": "start",
});
function mapPicture(box, graph, plan, overlay) {
const area = draw("svg", { class: "map", "aria-hidden": "true" });
area.style.visibility = "hidden";
box.append(area);
try {
const drawing = new Drawing(area);
drawing.build(graph, plan);
drawing.show({ ...overlay, last: null }, overlay.here, false);
drawing.zoom(1);
const { x, y, width, height } = boundsOf(plan);
const [left, top] = [Math.floor(x - margin), Math.floor(y - margin)];
const bounds = {
x: left, y: top, width: Math.ceil(x + width + margin) - left, height: Math.ceil(y + height + margin) - top,
};
const ground = plainColor(getComputedStyle(box).backgroundColor).color;
const picture = emptyDrawing(bounds, `The map of ${graph.app} ${graph.appVersion}`, ground);
for (const child of area.children) picture.append(styled(child) ?? "");
return picture;
} finally {
area.remove();
}
}
function styled(element) {
const style = getComputedStyle(element);
if (style.display === "none") return null;
const copy = (element.cloneNode());
for (const name of ["class", "style", "role", "tabindex", "aria-describedby", "aria-label", "aria-current"]) {
copy.removeAttribute(name);
}
for (const { name } of [...copy.attributes]) if (name.startsWith("data-")) copy.removeAttribute(name);
if (element.matches("rect, path, circle, text")) {
for (const name of colors) {
const value = style.getPropertyValue(name);
copy.setAttribute(name, value === "none" ? "none" : plainColor(value).color);
}
const isText = element.matches("text");
for (const [name, usual] of properties) {
const value = style.getPropertyValue(name);
if (value === usual || (!isText && /^(?:font|text)/.test(name))) continue;
copy.setAttribute(name, value.replaceAll("px", ""));
}
}
for (const child of element.childNodes) {
const inner = child instanceof Element ? styled(child) : child.cloneNode();
if (inner !== null) copy.append(inner);
}
return copy;
}
return { mapPicture };
})();
const module71 = (() => {

const { $, setText } = module0;
const { actionOf } = module1;
class Search {
found = null;
#screens = [];
constructor({ changed, take }) {
this.changed = changed;
this.take = take;
$("map-search").addEventListener("input", () => this.#look());
$("map-find").addEventListener("submit", (event) => {
event.preventDefault();
const [first] = this.found ?? [];
if (first !== undefined) this.take(first);
});
$("map-search").addEventListener("keydown", (event) => this.#key(event));
}
offer(screens) {
this.#screens = screens;
this.#look();
}
#look() {
const text = $("map-search").value.trim();
this.found = text === "" ? null : new Set(matches(this.#screens, text).map(({ id }) => id));
const count = this.found?.size;
setText($("map-found"), text === "" ? "" : count === 0 ? "No screen matches." : `${count} found`);
this.changed();
}
#key(event) {
if (actionOf("map", event) === "leave" && $("map-search").value === "") return;
event.stopPropagation();
if (actionOf("map", event) !== "leave") return;
event.preventDefault();
$("map-search").value = "";
this.#look();
}
}
function matches(screens, text) {
const wanted = text.toLowerCase();
const has = (value) => value?.toLowerCase().includes(wanted) ?? false;
const rank = ({ name }) => (name.toLowerCase().startsWith(wanted) ? 0 : has(name) ? 1 : 2);
return screens
.filter(({ name, states }) => has(name) || states.some(({ title }) => has(title)))
.toSorted((a, b) => rank(a) - rank(b));
}
return { Search, matches };
})();
const module72 = (() => {

const largest = 2.5;
const smallest = 0.08;
const slack = 5;
const marginIn = (width) => (width < 600 ? 12 : 22);
class Viewport {
scale = 1;
#x = 0;
#y = 0;
#bounds = { x: 0, y: 0, width: 1, height: 1 };
#pointers = new Map();
#moved = false;
isUntouched = true;
constructor(area, content, changed) {
this.area = area;
this.content = content;
this.changed = changed;
area.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
area.addEventListener("pointerdown", (event) => this.#press(event));
area.addEventListener("pointermove", (event) => this.#move(event));
for (const name of ["pointerup", "pointercancel"]) {
area.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId));
}
area.addEventListener("click", (event) => {
if (this.#moved) event.stopPropagation();
this.#moved = false;
}, { capture: true });
}
get size() {
const { width, height } = this.area.getBoundingClientRect();
return { width, height };
}
contain(bounds) {
this.#bounds = bounds;
}
static scaleFor(bounds, { width, height }) {
const margin = marginIn(width);
return Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height);
}
fit() {
this.scale = this.#allowed(Math.min(1.15, Viewport.scaleFor(this.#bounds, this.size)));
this.isUntouched = true;
const { x, y, width, height } = this.#bounds;
this.centre({ x: x + width / 2, y: y + height / 2 });
}
centre({ x, y }, scale = this.scale) {
const { width, height } = this.size;
this.scale = this.#allowed(scale);
this.#x = width / 2 - x * this.scale;
this.#y = height / 2 - y * this.scale;
this.#apply();
}
reveal({ x, y }, { width, height }) {
const size = this.size;
const left = (x - width / 2) * this.scale + this.#x;
const top = (y - height / 2) * this.scale + this.#y;
const isSeen = left >= 0 && top >= 0
&& left + width * this.scale <= size.width && top + height * this.scale <= size.height;
if (!isSeen) this.centre({ x, y });
}
zoom(factor, point = { x: this.size.width / 2, y: this.size.height / 2 }) {
const scale = this.#allowed(this.scale * factor);
this.#x = point.x - (point.x - this.#x) * (scale / this.scale);
this.#y = point.y - (point.y - this.#y) * (scale / this.scale);
this.scale = scale;
this.isUntouched = false;
this.#apply();
}
#pan(dx, dy) {
this.#x += dx;
this.#y += dy;
this.isUntouched = false;
this.#apply();
}
#allowed(scale) {
const whole = Viewport.scaleFor(this.#bounds, this.size);
return Math.max(Math.min(smallest, whole), Math.min(largest, scale));
}
#apply() {
const { width, height } = this.size;
const { x, y, width: w, height: h } = this.#bounds;
const margin = marginIn(width);
const held = (value, start, length, room) => {
const low = margin - start * this.scale;
const high = room - margin - (start + length) * this.scale;
return Math.max(Math.min(low, high), Math.min(Math.max(low, high), value));
};
this.#x = held(this.#x, x, w, width);
this.#y = held(this.#y, y, h, height);
this.content.setAttribute("transform", `translate(${this.#x} ${this.#y}) scale(${this.scale})`);
this.changed();
}
#wheel(event) {
event.preventDefault();
const { left, top } = this.area.getBoundingClientRect();
const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
return this.#pan(-(event.deltaX || event.deltaY) * lines, 0);
}
const speed = event.ctrlKey ? 0.01 : 0.0018;
this.zoom(Math.exp(-event.deltaY * lines * speed), { x: event.clientX - left, y: event.clientY - top });
}
#press({ pointerId, clientX, clientY, button }) {
if (button !== 0) return;
if (this.#pointers.size === 0) this.#moved = false;
this.#pointers.set(pointerId, { x: clientX, y: clientY, startX: clientX, startY: clientY });
}
#move({ pointerId, clientX, clientY }) {
const pointer = this.#pointers.get(pointerId);
if (!pointer) return;
const dx = clientX - pointer.x;
const dy = clientY - pointer.y;
if (!this.#moved) {
if (Math.hypot(clientX - pointer.startX, clientY - pointer.startY) < slack) return;
this.#moved = true;
this.area.setPointerCapture(pointerId);
}
const [other] = [...this.#pointers].filter(([id]) => id !== pointerId).map(([, each]) => each);
if (other) {
const { left, top } = this.area.getBoundingClientRect();
const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
const now = Math.hypot(clientX - other.x, clientY - other.y);
this.#pan(dx / 2, dy / 2);
if (before > 0) this.zoom(now / before, { x: (clientX + other.x) / 2 - left, y: (clientY + other.y) / 2 - top });
} else {
this.#pan(dx, dy);
}
Object.assign(pointer, { x: clientX, y: clientY });
}
}
return { Viewport };
})();
const module73 = (() => {

const { $, setAttribute, setText } = module0;
const { acceptFiles } = module36;
const { actionOf } = module1;
const { scrollable } = module16;
const { describe } = module55;
const { MapDocuments } = module56;
const { Drawing } = module62;
const { card } = module57;
const { Graph } = module52;
const { boundsOf, directions, layout, neighbour } = module64;
const { showList } = module65;
const { showFindings, stateText } = module66;
const { overlay } = module67;
const { mapPicture } = module70;
const { Search } = module71;
const { UsageError, usageText } = module54;
const { Viewport } = module72;
const { readable } = module58;
const comfortable = 1;
const zooms = { closer: 1.25, farther: 0.8 };
class AppMap {
#drawing = new Drawing($("map"));
#viewport = new Viewport($("map"), this.#drawing.content, () => this.#drawing.zoom(this.#viewport.scale));
#search = new Search({ changed: () => this.#showFound(), take: (id) => this.#focus(id) });
#documents;
#patterns = null;
#graph = null;
#plans = [];
#plan = null;
#session = null;
#overlay = null;
#names = new Map();
#asked = null;
constructor({ read, go, leave, isShown }) {
this.isShown = isShown;
this.go = go;
this.leave = leave;
this.#documents = new MapDocuments(read);
$("map").addEventListener("click", ({ target }) => this.#go(screenOf(target)));
const box = $("map-box");
box.addEventListener("pointerover", ({ target }) => this.#ask(screenOf(target)));
box.addEventListener("focusin", ({ target }) => this.#focused(screenOf(target)));
for (const name of ["pointerout", "focusout"]) box.addEventListener(name, () => this.#ask(null));
$("map-pane").addEventListener("keydown", (event) => this.#key(event));
$("map-in").addEventListener("click", () => this.#viewport.zoom(zooms.closer));
$("map-out").addEventListener("click", () => this.#viewport.zoom(zooms.farther));
$("map-fit").addEventListener("click", () => this.#viewport.fit());
$("map-as-list").addEventListener("click", () => this.#toggleList());
$("map-list").addEventListener("click", ({ target }) => this.#go(screenOf(target)));
$("map-open-usage").addEventListener("click", () => $("map-file").click());
$("map-hide-usage").addEventListener("click", () => this.#hideUsage());
scrollable($("map-details"), ...$("map-details").children);
acceptFiles(box, box, $("map-file"), (file) => this.#openUsage(file));
new ResizeObserver(() => {
if (this.#viewport.isUntouched) this.#place();
}).observe(box);
}
offer(patterns) {
this.#patterns = patterns;
this.#draw();
}
async open() {
if (this.#graph) return this.#place();
if (this.#documents.isOpen) return;
this.#say("The server explores the app to draw the map.");
try {
await this.#documents.open();
} catch (problem) {
this.#say("Could not load the map. Close it and open it again.", true);
throw problem;
}
this.#draw();
}
picture() {
return mapPicture($("map-box"), this.#graph, this.#plan, this.#overlay);
}
show(session) {
if (this.#session?.id !== session.id) this.#names.clear();
this.#session = session;
for (const each of [session.shown, session.route]) {
if (each?.screen) this.#names.set(each.version, each.screen.name);
}
if (this.isShown()) this.#update();
}
#draw() {
const { own, shown, usage } = this.#documents;
if (!own || !this.#patterns) return;
this.#graph = new Graph(shown, this.#patterns);
this.#plans = ["across", "down"].map((direction) => layout(this.#graph, direction));
this.#plan = null;
this.#overlay = null;
this.#asked = null;
setText($("map-count"), String(this.#graph.screens.length));
this.#say(stateText(this.#graph));
for (const id of ["map-usage", "legend-used"]) $(id).hidden = usage === null;
setText($("map-usage-text"), usage ? usageText(this.#graph, shown, usage.name, own.appVersion) : "");
$("map-open-usage").disabled = false;
showFindings(this.#graph);
this.#search.offer(this.#graph.screens);
this.#place();
}
#say(text, isProblem = false) {
$("map-state").classList.toggle("wrong", isProblem);
setText($("map-state"), text);
}
#place() {
const size = this.#viewport.size;
if (!this.#graph || this.#graph.screens.length === 0 || size.width === 0) return;
const scale = (plan) => Viewport.scaleFor(boundsOf(plan), size);
const [plan] = this.#plans.toSorted((a, b) => scale(b) - scale(a));
if (plan !== this.#plan) {
this.#plan = plan;
this.#drawing.build(this.#graph, plan);
this.#viewport.contain(boundsOf(plan));
}
this.#update();
if (scale(plan) >= readable) return this.#viewport.fit();
this.#viewport.centre(plan.places.get(this.#overlay?.here ?? 0), comfortable);
this.#viewport.isUntouched = true;
}
#update() {
const session = this.#session;
if (!this.#plan || !session?.shown) return;
for (const { version, route } of session.outcomes.values()) {
if (route?.screen) this.#names.set(version, route.screen.name);
}
const before = this.#overlay?.here;
this.#overlay = overlay(this.#graph, {
entries: session.entries, version: session.shown.version, names: this.#names,
});
const { here, seen } = this.#overlay;
setText($("map-seen"), `${seen.size} of ${this.#graph.screens.length} seen.`);
this.#showAsked();
$("map-picture").disabled = false;
showList(this.#graph, this.#overlay, this.#search.found);
if (!$("map").contains(document.activeElement)) this.#makeStop(here ?? 0);
if (here !== null && here !== before) this.#viewport.reveal(this.#plan.places.get(here), card);
}
#showAsked() {
const isAsked = this.#asked !== null;
const chosen = this.#asked ?? this.#overlay.here;
this.#drawing.show(this.#overlay, chosen, isAsked);
describe(this.#graph, chosen === null ? null : this.#graph.screens[chosen], this.#overlay, this.#session.shown);
}
#showFound() {
if (!this.#plan || !this.#overlay) return;
this.#drawing.mark(this.#search.found);
showList(this.#graph, this.#overlay, this.#search.found);
}
#toggleList() {
const isList = $("map-list").hidden;
$("map-list").hidden = !isList;
$("map").toggleAttribute("hidden", isList);
setAttribute($("map-as-list"), "aria-pressed", isList);
this.#place();
}
async #openUsage(file) {
if (!this.#graph) return;
try {
await this.#documents.openUsage(file);
this.#draw();
} catch (problem) {
if (!(problem instanceof UsageError)) throw problem;
this.#say(problem.message, true);
}
}
#hideUsage() {
this.#documents.usage = null;
this.#draw();
$("map-open-usage").focus();
}
#ask(id) {
if (!this.#plan || !this.#overlay) return;
const next = id ?? screenOf(document.activeElement);
if (next === this.#asked) return;
this.#asked = next;
this.#showAsked();
}
#focused(id) {
if (id === null) return;
this.#makeStop(id);
if ($("map-list").hidden) this.#viewport.reveal(this.#plan.places.get(id), card);
this.#ask(id);
}
#go(id) {
if (id !== null && this.#overlay && id !== this.#overlay.here) this.go(this.#graph.screens[id]);
}
#key(event) {
const action = actionOf("map", event);
const id = $("map").contains(event.target) ? screenOf(event.target) : null;
if (action === "leave") {
if (!$("problem").hidden) return;
event.stopPropagation();
this.leave();
} else if (zooms[action]) {
this.#viewport.zoom(zooms[action]);
} else if (action === "all") {
this.#viewport.fit();
} else if (id === null || !this.#plan) {
return;
} else if (action === "press") {
this.#go(id);
} else if (action !== null && action in directions) {
this.#focus(neighbour(this.#plan, id, action));
} else if (action === "first") {
this.#focus(0);
} else if (action === "here") {
this.#focus(this.#overlay?.here ?? null);
} else {
return;
}
event.preventDefault();
}
#focus(id) {
if (id === null) return;
if ($("map-list").hidden) this.#drawing.card(id).focus({ preventScroll: true });
else $("map-list").querySelector(`[data-screen="${id}"]`).focus();
}
#makeStop(id) {
for (const { id: each } of this.#graph.screens) {
setAttribute(this.#drawing.card(each), "tabindex", each === id ? 0 : -1);
}
}
}
function screenOf(element) {
const found = element?.closest?.("[data-screen]");
return found ? Number(found.dataset.screen) : null;
}
return { AppMap };
})();
const module74 = (() => {

const { $, setAttribute } = module0;
const names = ["app", "tree", "journal", "map"];
class Panes {
constructor({ opened }) {
this.opened = opened;
for (const name of names) $(`show-${name}`).addEventListener("click", () => this.#show(name));
$("open-map").addEventListener("click", () => {
this.#show("map");
$("close-map").focus();
});
$("close-map").addEventListener("click", () => this.leaveMap());
this.#show("app");
}
leaveMap() {
this.#show("app");
[$("open-map"), $("show-app")].find((button) => button.checkVisibility())?.focus();
}
#show(name) {
document.body.dataset.pane = name;
for (const each of names) setAttribute($(`show-${each}`), "aria-current", each === name ? "true" : null);
if (name === "map") this.opened();
}
}
return { Panes };
})();
const module75 = (() => {

const { $, setAttribute, setText } = module0;
const { fragmentOf } = module17;
class Parked {
show(parked, isLive) {
$("parked").hidden = parked === null;
setText($("parked-label"), isLive ? "Parked" : "Was parked");
setText($("parked-path"), parked?.path ?? "");
}
}
class Forked {
show(parent) {
$("forked").hidden = parent === null;
if (parent === null) return;
const { session, version } = parent;
setAttribute($("forked-parent"), "href", fragmentOf(session, version));
setText($("forked-parent"), `${session.slice(0, 6)}, version ${version}`);
}
}
return { Parked, Forked };
})();
const module76 = (() => {

const { $, icon, keyed, make, setAttribute, setText } = module0;
const { duration } = module35;
const { scrollable } = module16;
const { shortName } = module9;
const second = 1000;
class Pending {
#timers = [];
#isCounting = false;
#next = 0;
constructor({ now, post }) {
this.now = now;
scrollable($("pending"), $("pending-list"));
$("pending-list").addEventListener("click", ({ target }) => {
const id = target.closest(".pending-post")?.closest("[data-pending]").dataset.pending;
if (id !== undefined) post(this.pending.find((piece) => piece.id === id));
});
}
show(pending, isLive, isWithheld) {
this.pending = pending;
const hadFocus = $("pending-list").contains(document.activeElement);
$("pending").hidden = pending.length === 0 && !(isLive && isWithheld);
$("pending").classList.toggle("withheld", isWithheld);
$("pending-withheld").hidden = !isLive || !isWithheld;
$("withheld").hidden = !isWithheld;
$("pending-badge").hidden = pending.length === 0;
setText($("pending-count"), String(pending.length));
setText($("pending-heading"), isLive ? "Pending" : "Was pending");
keyed($("pending-list"), pending, ({ id, kind }) => `${kind} ${id}`, makeItem, (item, { id, name, at, due }) => {
item.dataset.pending = id;
item.title = `${id}, started by ${at}`;
setText(item.querySelector(".pending-name"), name);
setText(item.querySelector(".pending-at"), shortName(at));
if (due === null) setText(item.querySelector(".pending-state"), stateText(isLive, isWithheld));
const post = item.querySelector(".pending-post");
post.hidden = !isLive || !isWithheld;
setAttribute(post, "aria-label", `Post the outcome of ${name}`);
});
if (hadFocus && !$("pending-list").contains(document.activeElement)) $("pending-heading").focus();
this.#timers = pending.filter(({ due }) => due !== null);
this.#isCounting = isLive && !isWithheld;
this.#tick();
}
#tick() {
clearTimeout(this.#next);
const now = this.now();
let isAnyLeft = false;
for (const { id, due } of this.#timers) {
const state = $("pending-list").querySelector(`[data-pending="${CSS.escape(id)}"] .pending-state`);
const left = Math.ceil((Date.parse(due) - now) / second);
setAttribute(state, "role", this.#isCounting ? "timer" : null);
setText(state, !this.#isCounting ? `due ${clockTime(due)}` : left > 0 ? `in ${duration(left)}` : "due now");
state.dateTime = due;
state.title = new Date(due).toLocaleString();
isAnyLeft ||= this.#isCounting && left > 0;
}
if (isAnyLeft) this.#next = setTimeout(() => this.#tick(), second - (now % second));
}
}
function stateText(isLive, isWithheld) {
if (isWithheld) return isLive ? "withheld" : "was withheld";
return isLive ? "running" : "was running";
}
function clockTime(time) {
const date = new Date(time);
const isToday = date.toDateString() === new Date().toDateString();
return isToday ? date.toLocaleTimeString([], { hour12: false }) : date.toLocaleString([], { hour12: false });
}
function makeItem({ kind }) {
return make("li", { className: "pending-item", "data-kind": kind },
kind === "timer" ? icon("timer") : make("i", { className: "activity", "aria-hidden": "true" }),
make("span", { className: "pending-words" },
make("span", { className: "pending-name" }), " ", make("span", { className: "pending-at" })), " ",
make(kind === "timer" ? "time" : "span", { className: "pending-state" }), " ",
make("button", { type: "button", className: "quiet pending-post", "aria-haspopup": "dialog", hidden: true },
"Post outcome"));
}
return { Pending };
})();
const module77 = (() => {

const { Problem } = module4;
const { showBusy } = module5;
const { keyed, make, setAttribute, setText } = module0;
const { clearSecrets, controlsIn, entriesIn, payloadWith, putValue, showValue } = module19;
const { makeField, showErrorIn, updateField } = module21;
const { controlFor, pointerTo } = module20;
const { pointsInto, refusalContent } = module15;
function isForm(action) {
return action?.inputs?.length > 0;
}
let count = 0;
class Form {
#fields = make("div", { className: "fields" });
#submit = make("button", { type: "submit", className: "action submit" });
#prefix = `form-${++count}`;
#action = null;
#version = -1;
#isSending = false;
#taken = null;
#refused = null;
constructor({ send, report, finish }) {
this.send = send;
this.report = report;
this.finish = finish;
this.element = make("form", { className: "form", noValidate: true }, this.#fields, this.#submit);
this.element.addEventListener("submit", (event) => {
event.preventDefault();
this.#perform();
});
this.#fields.addEventListener("input", ({ target }) => {
if (this.#refused?.contains(target)) this.#forgive();
});
}
show(action, version, label) {
this.#action = action;
this.#version = version;
this.element.dataset.event = action.event;
setAttribute(this.#submit, "data-role", action.role);
setAttribute(this.element, "aria-label", label);
setText(this.#submit, action.title);
keyed(this.#fields, action.inputs, (input) => `${input.field} ${input.type} ${input.required} ${controlFor(input)}`,
(input) => makeField({ ...input, prefix: this.#prefix, pointer: pointerTo("payload", input.field) }),
(field, input) => {
updateField(field, input);
if (field !== this.#refused) showErrorIn(field, errorOf(input));
});
this.#settle();
}
clearSecrets() {
clearSecrets(this.#fields);
}
async #perform() {
if (this.#isSending || this.#taken !== null) return;
const { event, payload } = this.#action;
const entries = entriesIn(this.#fields);
this.#isSending = true;
this.#forgive();
try {
const version = await showBusy(this.#submit,
this.send({ event, payload: payloadWith(this.#fields, payload) }));
this.#taken = { version, entries };
this.#settle();
} catch (problem) {
if (!(problem instanceof Problem)) throw problem;
if (!this.element.isConnected || !this.#showRefusal(problem)) this.report(problem);
} finally {
this.#isSending = false;
}
}
#settle() {
if (this.#taken === null || this.#version < this.#taken.version) return;
const { entries } = this.#taken;
const now = entriesIn(this.#fields);
this.#taken = null;
for (const { field, value } of this.#action.inputs) {
const control = [...now.keys()].find(({ name }) => name === field);
if (now.get(control) === entries.get(control)) showValue(control, value);
}
const wrong = this.#fields.querySelector("[aria-invalid]");
if (!wrong) this.finish();
else if (this.element.contains(document.activeElement)) wrong.focus();
}
#showRefusal(problem) {
const field = [...this.#fields.children].find((field) => pointsInto(problem, controlsIn(field)[0]));
if (!field) return false;
const [control] = controlsIn(field);
const own = problem.pointer === control.dataset.pointer;
this.#refused = field;
showErrorIn(field, refusalContent({ ...problem, pointer: own ? undefined : problem.pointer }, (value) => {
putValue(field, problem.pointer, value);
control.focus();
this.#forgive();
}));
control.focus();
return true;
}
#forgive() {
const field = this.#refused;
this.#refused = null;
if (!field?.isConnected) return;
const input = this.#action.inputs.find(({ field: name }) => name === controlsIn(field)[0].name);
showErrorIn(field, errorOf(input));
}
}
function errorOf({ error }) {
return error === null ? [] : [error];
}
class Forms {
#forms = new Map();
#used = new Set();
#route = null;
#isWritable = false;
constructor(callbacks) {
this.callbacks = callbacks;
}
begin(route, isWritable) {
this.#used.clear();
this.#route = route;
this.#isWritable = isWritable;
}
key(place, { event, inputs }) {
const { session, leaf } = this.#route;
return JSON.stringify([this.#isWritable, session, leaf, place, event, inputs.map(({ field }) => field)]);
}
element(key) {
return this.#form(key).element;
}
show(key, action, label = action.title) {
this.#used.add(key);
this.#form(key).show(action, this.#route.version, label);
}
end() {
for (const [key, form] of this.#forms) {
if (this.#used.has(key)) continue;
form.clearSecrets();
if (this.#isWritable) this.#forms.delete(key);
}
}
#form(key) {
const known = this.#forms.get(key);
if (known) return known;
const form = new Form({ ...this.callbacks, finish: () => this.callbacks.finish(key) });
this.#forms.set(key, form);
return form;
}
}
return { isForm, Forms };
})();
const module78 = (() => {

const { draw, keyed, make } = module0;
const symbolFile = "/web/symbols.svg";
function showImage(place, image) {
place.hidden = image === null;
keyed(place, image === null ? [] : [image], JSON.stringify, makeImage, () => {});
}
function makeImage({ url, symbol, letters, color, alt }) {
if (url !== null) return make("img", { className: "image", src: url, alt });
const meaning = alt === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": alt };
const element = symbol !== null
? draw("svg", { class: "image symbol", ...meaning },
draw("use", { href: `${symbolFile}#${encodeURIComponent(symbol)}` }))
: make("span", { className: "image letters", ...meaning }, letters);
if (color === null) return element;
if (symbol !== null) element.style.color = color;
else Object.assign(element.style, { backgroundColor: color, color: inkOn(color) });
return element;
}
function inkOn(color) {
const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? "#000000" : "#ffffff";
}
return { symbolFile, showImage, inkOn };
})();
const module79 = (() => {

const still = matchMedia("(prefers-reduced-motion: reduce)");
function animate(element, keyframes, options) {
if (!still.matches) element.animate(keyframes, { easing: "cubic-bezier(.2, .7, .2, 1)", ...options });
}
return { animate };
})();
const module80 = (() => {

const { setAttribute } = module0;
const actions = new WeakMap();
function offer(button, action, label = null) {
button.hidden = action === null;
if (action === null) return;
actions.set(button, action);
button.dataset.event = action.event;
setAttribute(button, "data-role", action.role);
setAttribute(button, "aria-label", label);
}
function offeredBy(button) {
return button ? actions.get(button) ?? null : null;
}
return { offer, offeredBy };
})();
const module81 = (() => {

const { $, icon, keyed, make, setAttribute, setText } = module0;
const { isForm } = module77;
const { showImage } = module78;
const { actionOf } = module1;
const { offer } = module80;
class Rows {
#forms;
#refresh;
#open = null;
#keys = new WeakMap();
constructor(forms, refresh) {
this.#forms = forms;
this.#refresh = refresh;
$("rows").addEventListener("keydown", (event) => {
if (actionOf("form", event) !== "leave" || !event.target.closest(".form")) return;
event.stopPropagation();
this.close(this.#open);
});
}
show({ screen, leaf }, isWritable) {
const rows = Map.groupBy(screen.rows, ({ section }) => section);
const sections = [{ id: null, title: null, footer: null }, ...screen.sections]
.filter(({ id }) => id !== null || rows.has(null));
let isThere = false;
keyed($("rows"), sections, ({ id }) => JSON.stringify([leaf, id]), makeSection, (part, { id, title, footer }) => {
const [heading, list, foot] = part.children;
showText(heading, title);
showText(foot, footer);
keyed(list, rows.get(id) ?? [], (row) => `${leaf} ${row.id} ${row.action !== null}`, makeRow, (item, row) => {
const opened = this.#update(item, row).filter(({ key }) => isWritable && key === this.#open);
isThere ||= opened.length > 0;
keyed(item.querySelector(".row-form"), opened, ({ key }) => key, ({ key }) => this.#forms.element(key),
(_, { key, action }) => this.#forms.show(key, action, `${action.title}: ${row.title}`));
});
});
if (isWritable && !isThere) this.#open = null;
}
toggle(button) {
const key = this.#keys.get(button);
if (key === this.#open) return this.close(key);
this.#open = key;
this.#refresh();
const field = this.#forms.element(key).querySelector("[data-field]");
field.focus();
field.select?.();
}
close(key) {
if (key === null || key !== this.#open) return;
const hadFocus = this.#forms.element(key).contains(document.activeElement);
if (hadFocus) $("rows").querySelector("[aria-expanded=true]").focus();
this.#open = null;
this.#refresh();
}
#update(item, { id, title, subtitle, favorite, value, image, action, actions, delete: remove }) {
const [tap, end] = item.children;
const [buttons, deletion] = end.children;
showImage(tap.querySelector(".row-image"), image);
setText(tap.querySelector(".row-title"), title);
setText(tap.querySelector(".row-subtitle"), subtitle ?? "");
setText(tap.querySelector(".row-value"), value ?? "");
tap.querySelector(".favorite").hidden = !favorite;
if (action) offer(tap, action);
offer(deletion, remove, `${remove?.title}: ${title}`);
setAttribute(deletion, "title", remove?.title ?? null);
buttons.hidden = actions.length === 0;
keyed(buttons, actions.map((action, index) => ({ action, index })), ({ index }) => index,
() => make("button", { type: "button", className: "row-button" }),
(button, { action }) => {
setText(button, action.title);
offer(button, action, `${action.title}: ${title}`);
});
const offered = [
[tap, action], [deletion, remove], ...actions.map((each, index) => [buttons.children[index], each]),
];
return offered.flatMap(([button, each], place) => this.#link(button, each, `row ${id} ${place}`));
}
#link(button, action, place) {
const key = isForm(action) ? this.#forms.key(place, action) : null;
setAttribute(button, "aria-expanded", key && key === this.#open);
if (key === null) return [];
this.#keys.set(button, key);
return [{ key, action }];
}
}
function showText(element, text) {
element.hidden = text === null;
setText(element, text ?? "");
}
function makeSection() {
return make("section", {},
make("h4", { className: "section-title" }), make("ul", { className: "list" }),
make("p", { className: "section-footer" }));
}
function makeRow({ id, action }) {
return make("li", { className: "row", "data-row": id },
make(action ? "button" : "div", { className: "tap" },
make("span", { className: "row-image" }),
make("span", { className: "row-words" },
make("span", { className: "row-title" }), make("span", { className: "row-subtitle" })),
make("span", { className: "row-value" }),
make("span", { className: "favorite", role: "img", "aria-label": "favorite" }, icon("star"))),
make("div", { className: "row-end" },
make("div", { className: "row-actions" }),
make("button", { type: "button", className: "delete" }, icon("minus"))),
make("div", { className: "row-form" }));
}
return { Rows };
})();
const module82 = (() => {

function statusText({ status = "ready", message = null }) {
if (status === "failed") return message === null ? "This failed." : `Failed: ${closed(message)}`;
if (message === null) return status === "loading" ? "Loading…" : "";
return closed(message);
}
function closed(text) {
return /[.!?…]$/.test(text) ? text : `${text}.`;
}
function isAlert({ style }) {
return style === "alert";
}
function isSheet({ style }) {
return style === "sheet";
}
return { statusText, closed, isAlert, isSheet };
})();
const module83 = (() => {

const { showBusy } = module5;
const { $, distinct, keyed, make, setAttribute, setText } = module0;
const { writeJSON } = module3;
const { Forms, isForm } = module77;
const { showImage } = module78;
const { roving } = module39;
const { animate } = module79;
const { offer, offeredBy } = module80;
const { Rows } = module81;
const { scrollable } = module16;
const { isAlert, isSheet, statusText } = module82;
class Phone {
#forms;
#rows;
#shown = null;
#isWritable = false;
#isPast = false;
#updateBreadcrumbs;
#updateTabStop = roving($("tabs"), "[role=tab]", { horizontal: true });
constructor({ perform, send, report, open }) {
this.#forms = new Forms({ send, report, finish: (key) => queueMicrotask(() => this.#rows.close(key)) });
this.#rows = new Rows(this.#forms, () => this.show(this.#shown, this.#isWritable, this.#isPast));
scrollable($("screen"), $("content"));
this.#updateBreadcrumbs = scrollable($("breadcrumbs"));
$("phone").addEventListener("click", ({ target }) => {
const button = target.closest("button");
const action = offeredBy(button);
if (isForm(action)) this.#rows.toggle(button);
else if (action) showBusy(button, perform(action));
});
$("breadcrumbs").addEventListener("click", ({ target }) => {
const link = target.closest("button");
if (link) open(link.dataset.path);
});
}
show(route, isWritable, isPast = false) {
const { screen, navigation } = route;
const focused = $("phone").contains(document.activeElement) ? document.activeElement : null;
const title = screen.title ?? screen.name;
setText($("screen-title"), title);
offer($("back"), navigation.back, `Back to ${navigation.back?.title}`);
offer($("dismiss"), navigation.dismiss);
setText($("back-title"), navigation.back?.title ?? "");
setText($("dismiss"), navigation.dismiss?.title ?? "");
this.#showStatus(screen);
this.#forms.begin(route, isWritable);
this.#rows.show(route, isWritable);
$("screen-empty").hidden = screen.empty === null;
setText($("screen-empty"), screen.empty ?? "");
this.#showActions(route);
this.#forms.end();
this.#showTabs(navigation.tabs);
this.#showModal(route);
const isBare = screen.rows.length + screen.sections.length + navigation.tabs.length === 0 && screen.empty === null
&& !screen.actions.some(isForm);
$("phone").classList.toggle("bare", isBare && !isAlert(screen));
this.#showBreadcrumbs(route, isWritable);
for (const control of $("phone").querySelectorAll("button, input, select, textarea")) {
const action = offeredBy(control);
const forks = isPast && action !== null && !isForm(action);
control.disabled = !isWritable && !forks;
setAttribute(control, "aria-haspopup", forks ? "dialog" : null);
}
this.#animate(route);
this.#keepFocus(focused);
this.#shown = route;
this.#isWritable = isWritable;
this.#isPast = isPast;
}
#keepFocus(focused) {
const isSeen = (element) => $("phone").contains(element) && element.checkVisibility();
if (focused === null || isSeen(document.activeElement)) return;
(isSeen(focused) ? focused : $("screen-title")).focus({ preventScroll: true });
}
#showStatus(screen) {
const { status = "ready", message = null } = screen;
$("screen-status").hidden = status === "ready" && message === null;
$("screen-status").dataset.status = status;
setText($("screen-message"), message ?? statusText(screen));
$("screen-failed").hidden = status !== "failed" || message === null;
}
#showActions({ screen, leaf }) {
const keys = distinct(screen.actions.map((action, index) =>
isForm(action) ? this.#forms.key("actions", action) : `${leaf} ${index}`));
const items = screen.actions.map((action, index) => ({ action, key: keys[index] }));
keyed($("actions"), items, ({ key }) => key,
({ action, key }) => isForm(action)
? this.#forms.element(key) : make("button", { type: "button", className: "action" }),
(element, { action, key }) => {
if (isForm(action)) return this.#forms.show(key, action);
setText(element, action.title);
offer(element, action);
});
}
#showTabs(tabs) {
$("tabs").hidden = tabs.length === 0;
keyed($("tabs"), tabs, ({ title, action }) => writeJSON(action?.payload) ?? title, makeTab, (item, tab) => {
const glyph = item.querySelector(".tab-glyph");
showImage(item.querySelector(".tab-image"), tab.image);
glyph.hidden = tab.image !== null;
setText(glyph, [...tab.title][0] ?? "");
setText(item.querySelector(".tab-title"), tab.title);
const badge = item.querySelector(".badge");
badge.hidden = tab.badge === null;
setText(badge, tab.badge ?? "");
setAttribute(item, "aria-selected", tab.selected);
offer(item, tab.action, tab.badge === null ? null : `${tab.title}, ${tab.badge}`);
});
this.#updateTabStop($("tabs").querySelector("[aria-selected=true]"));
}
#showModal({ tree, screen, navigation }) {
const asks = isAlert(screen);
const under = asks || isSheet(screen) ? presentedOn(tree) : null;
$("under").hidden = under === null;
setText($("under-title"), under?.title ?? under?.coordinator ?? "");
$("face").classList.toggle("sheet", isSheet(screen));
$("phone").classList.toggle("asking", asks);
setAttribute($("screen"), "role", asks ? "alertdialog" : navigation.tabs.length > 0 ? "tabpanel" : "group");
setAttribute($("screen"), "aria-describedby", asks && screen.message !== null ? "screen-message" : null);
}
#showBreadcrumbs({ breadcrumbs, leaf }, isWritable) {
const last = breadcrumbs.length - 1;
const items = breadcrumbs.map((crumb, index) => ({ ...crumb, isLast: index === last }));
keyed($("breadcrumbs"), items, ({ path, isLast }) => `${path} ${isLast}`,
({ isLast }) => make("li", {}, make(isLast ? "span" : "button", isLast ? {} : { type: "button" })),
(item, { title, path, isLast }) => {
const crumb = item.firstElementChild;
setText(crumb, title);
setAttribute(crumb, "title", path);
setAttribute(crumb, "aria-current", isLast ? "page" : null);
if (isLast) return;
crumb.dataset.path = path;
crumb.disabled = !isWritable;
});
this.#updateBreadcrumbs();
if (this.#shown?.leaf !== leaf) $("breadcrumbs").scrollLeft = $("breadcrumbs").scrollWidth;
}
#animate(route) {
if (!this.#shown || this.#shown.leaf === route.leaf) return;
$("screen").scrollTop = 0;
if (isAlert(route.screen) || isAlert(this.#shown.screen)) {
animate($("content"), { scale: [isAlert(route.screen) ? 1.1 : 1, 1], opacity: [0, 1] }, { duration: 200 });
return;
}
const wasModal = isSheet(this.#shown.screen);
const isModal = isSheet(route.screen);
if (isModal && !wasModal) {
animate($("face"), { transform: ["translateY(60%)", "none"], opacity: [0.4, 1] }, { duration: 320 });
return;
}
const deeper = route.breadcrumbs.length - this.#shown.breadcrumbs.length;
const from = wasModal === isModal ? Math.sign(deeper) * 28 : 0;
const keyframes = { transform: [`translateX(${from}px)`, "none"], opacity: [0, 1] };
animate($("content"), keyframes, { duration: 260 });
}
}
function makeTab() {
return make("button", { type: "button", role: "tab", className: "tab", tabIndex: -1, "aria-controls": "screen" },
make("span", { className: "tab-image" }),
make("span", { className: "tab-glyph", "aria-hidden": "true" }),
make("span", { className: "tab-title" }),
make("span", { className: "badge" }));
}
function presentedOn(tree) {
let presenter = null;
for (let node = tree; node; node = node.presented ?? node.children[node.index]) {
if (node.presented) presenter = node;
}
while (presenter?.children.length > 0) presenter = presenter.children[presenter.index];
return presenter;
}
return { Phone };
})();
const module84 = (() => {

const { draw } = module0;
const { symbolFile } = module78;
const { plainColor } = module68;
const { density, emptyDrawing } = module69;
const shapeProperties = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"];
const sides = ["top", "right", "bottom", "left"];
const shapeNames = "path, rect, circle, ellipse, line, polyline, polygon";
let symbols = null;
let clips = 0;
let measure = null;
async function pictureOf(element, title) {
if (symbols === null && element.querySelector(".symbol")) {
symbols = await fetch(symbolFile).then((answer) => answer.text())
.then((text) => new DOMParser().parseFromString(text, "image/svg+xml"), () => null);
}
const { left, top, width, height } = element.getBoundingClientRect();
clips = 0;
const origin = { x: left, y: top };
const drawing = emptyDrawing({ width: round(width), height: round(height) }, title);
drawing.append(...drawn(element, origin));
return drawing;
}
function drawn(element, origin) {
if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(".visually-hidden")) return [];
const style = getComputedStyle(element);
const box = boxOf(element.getBoundingClientRect(), origin);
if (element.localName === "svg") return iconParts(element, style, box);
const before = pseudo(element, "::before", box, style);
const after = pseudo(element, "::after", box, style);
const inner = [
...before.map(({ shape }) => shape), ...contents(element, style, origin),
...after.filter(({ isOver }) => !isOver).map(({ shape }) => shape),
];
const own = boxShapes(box, style);
const isWhole = style.overflow === "visible" && element.localName !== "img";
const below = isWhole || inner.length === 0 ? inner : [clipped(inner, box, style)];
const all = [...own, ...below];
if (all.length === 0 || style.opacity === "1") return all;
return [draw("g", { opacity: style.opacity }, ...all)];
}
function contents(element, style, origin) {
if (element instanceof HTMLImageElement) return imageParts(element, style, origin);
if (element.matches("input, textarea, select")) return controlText((element), style, origin);
const layers = [...element.childNodes].map((node) => {
if (node instanceof Text) return { level: 0, parts: textLines(node, style, origin) };
if (!(node instanceof Element)) return { level: 0, parts: [] };
return { level: Number(getComputedStyle(node).zIndex) || 0, parts: drawn(node, origin) };
});
const cover = pseudo(element, "::after", boxOf(element.getBoundingClientRect(), origin), style)
.filter(({ isOver }) => isOver).map(({ shape }) => ({ level: 0, parts: [shape] }));
return [...layers, ...cover].sort((a, b) => a.level - b.level).flatMap(({ parts }) => parts);
}
function boxShapes({ x, y, width, height }, style) {
if (width === 0 || height === 0) return [];
const shapes = [];
const [top, right, bottom, left] = sides.map((side) =>
(style.getPropertyValue(`border-${side}-style`) === "none"
? 0 : Number.parseFloat(style.getPropertyValue(`border-${side}-width`))));
const isEven = top > 0 && [right, bottom, left].every((each) => each === top);
const corners = radii(style, width, height);
const { color, opacity } = plainColor(style.backgroundColor);
if (opacity > 0) {
shapes.push(draw("path", { d: rounded({ x, y, width, height }, corners), ...paint("fill", color, opacity) }));
}
shapes.push(...bars({ x: x + left, y: y + top, width: width - left - right, height: height - top - bottom }, style));
if (isEven) {
const line = { x: x + top / 2, y: y + top / 2, width: width - top, height: height - top };
const stroke = plainColor(style.borderTopColor);
if (stroke.opacity > 0) {
shapes.push(draw("path", {
d: rounded(line, corners.map((each) => Math.max(0, each - top / 2))), fill: "none", "stroke-width": top,
...paint("stroke", stroke.color, stroke.opacity),
...(style.borderTopStyle === "dashed" && { "stroke-dasharray": `${2 * top}` }),
}));
}
return shapes;
}
const lines = [
[top, style.borderTopColor, `M${x} ${y + top / 2}h${width}`],
[right, style.borderRightColor, `M${x + width - right / 2} ${y}v${height}`],
[bottom, style.borderBottomColor, `M${x} ${y + height - bottom / 2}h${width}`],
[left, style.borderLeftColor, `M${x + left / 2} ${y}v${height}`],
];
for (const [size, text, d] of (lines)) {
const stroke = plainColor(text);
if (size === 0 || stroke.opacity === 0) continue;
shapes.push(draw("path", { d, "stroke-width": size, ...paint("stroke", stroke.color, stroke.opacity) }));
}
return shapes;
}
function bars({ x, y, width, height }, style) {
const color = /^linear-gradient\((.+?\)), \1\)$/.exec(style.backgroundImage)?.[1];
if (color === undefined) return [];
const [across, down] = style.backgroundSize.split(" ").map((text, index) => lengthOf(text, [width, height][index]));
const [left, top] = style.backgroundPosition.split(" ").map((text, index) =>
lengthOf(text, [width - across, height - down][index]));
const plain = plainColor(color);
return [draw("rect", {
x: x + left, y: y + top, width: across, height: down, ...paint("fill", plain.color, plain.opacity),
})];
}
function lengthOf(text, whole) {
return text.endsWith("%") ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text);
}
function radii(style, width, height) {
const own = ["top-left", "top-right", "bottom-right", "bottom-left"].map((corner) =>
lengthOf(style.getPropertyValue(`border-${corner}-radius`).split(" ")[0], Math.min(width, height)) || 0);
const [a, b, c, d] = own;
const fit = Math.min(1, width / Math.max(1, a + b, c + d), height / Math.max(1, a + d, b + c));
return own.map((each) => each * fit);
}
function rounded({ x, y, width, height }, [a, b, c, d]) {
const arc = (radius, dx, dy) =>
(radius === 0 ? "" : `a${round(radius)} ${round(radius)} 0 0 1 ${round(dx)} ${round(dy)}`);
return `M${round(x + a)} ${round(y)}H${round(x + width - b)}${arc(b, b, b)}V${round(y + height - c)}${arc(c, -c, c)}`
+ `H${round(x + d)}${arc(d, -d, -d)}V${round(y + a)}${arc(a, a, -a)}Z`;
}
function clipped(parts, { x, y, width, height }, style) {
const id = `clip-${++clips}`;
const edge = Number.parseFloat(style.borderTopWidth) || 0;
const inner = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge };
const corners = radii(style, width, height).map((each) => Math.max(0, each - edge));
return draw("g", {}, draw("clipPath", { id }, draw("path", { d: rounded(inner, corners) })),
draw("g", { "clip-path": `url(#${id})` }, ...parts));
}
function pseudo(element, name, box, own) {
const style = getComputedStyle(element, name);
const width = Number.parseFloat(style.width);
const height = Number.parseFloat(style.height);
if (style.content === "none" || style.visibility === "hidden" || !(width > 0 && height > 0)) return [];
const isOver = style.position === "absolute";
const room = (side) => Number.parseFloat(own.getPropertyValue(`padding-${side}`))
+ Number.parseFloat(own.getPropertyValue(`border-${side}-width`));
const margin = (side) => Number.parseFloat(style.getPropertyValue(`margin-${side}`)) || 0;
const isDown = own.flexDirection === "column" && own.display === "flex";
const isFirst = (name === "::before") === (own.direction !== "rtl");
const x = isOver ? box.x + Number.parseFloat(own.borderLeftWidth) + Number.parseFloat(style.left)
: isDown ? box.x + (box.width - width) / 2
: isFirst ? box.x + room("left") + margin("left") : box.x + box.width - room("right") - margin("right") - width;
const y = isOver ? box.y + Number.parseFloat(own.borderTopWidth) + Number.parseFloat(style.top)
: isDown ? box.y + room("top") + margin("top") : box.y + (box.height - height) / 2;
const shapes = boxShapes({ x, y, width, height }, style);
const turn = style.transform === "none" ? {}
: { transform: `translate(${x + width / 2} ${y + height / 2}) ${style.transform.replaceAll(",", "")} translate(${
-x - width / 2} ${-y - height / 2})` };
return shapes.length === 0 ? [] : [{ isOver, shape: draw("g", turn, ...shapes) }];
}
function textLines(node, style, origin) {
if (node.data.trim() === "") return [];
const range = document.createRange();
const lines = [];
let at = 0;
for (const character of node.data) {
range.setStart(node, at);
at += character.length;
range.setEnd(node, at);
const place = [...range.getClientRects()].at(-1);
if (!place || place.width === 0) continue;
const last = lines.at(-1);
if (last && Math.abs(last.top - place.top) < place.height / 2) {
last.text += character;
last.left = Math.min(last.left, place.left);
last.right = Math.max(last.right, place.right);
} else {
lines.push({ text: character, left: place.left, right: place.right, top: place.top, height: place.height });
}
}
return lines.map(({ text, left, right, top, height }) =>
textShape(text, { x: left - origin.x, y: top - origin.y, width: right - left, height }, style));
}
function controlText(control, style, origin) {
const box = boxOf(control.getBoundingClientRect(), origin);
if (control.type === "checkbox" && control instanceof HTMLInputElement) {
const { color, opacity } = plainColor(style.color);
const size = Math.min(box.width, box.height);
const edge = { x: box.x + 1, y: box.y + (box.height - size) / 2 + 1, width: size - 2, height: size - 2 };
const tick = `M${edge.x + edge.width * 0.2} ${edge.y + edge.height * 0.55}l${edge.width * 0.2} ${edge.height * 0.2}`
+ `l${edge.width * 0.4} ${-edge.height * 0.5}`;
const stroke = paint("stroke", color, opacity);
return [
draw("path", { d: rounded(edge, [3, 3, 3, 3]), fill: "none", ...stroke }),
...(control.checked ? [draw("path", { d: tick, fill: "none", "stroke-width": 2, ...stroke })] : []),
];
}
const own = control instanceof HTMLSelectElement ? control.selectedOptions[0]?.text ?? ""
: control.type === "password" ? "•".repeat(control.value.length) : control.value;
const isHint = own === "" && "placeholder" in control;
const words = isHint ? (control).placeholder : own;
const height = Number.parseFloat(style.fontSize) * 1.2;
const line = Number.parseFloat(style.lineHeight) || height;
const left = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
const isArea = control instanceof HTMLTextAreaElement;
const first = isArea ? Number.parseFloat(style.paddingTop) + Number.parseFloat(style.borderTopWidth)
: (box.height - height) / 2;
return words.split("\n").filter((text, index) => text !== "" && (isArea || index === 0)).map((text, index) => {
const shape = textShape(text, { x: box.x + left, y: box.y + first + index * line, width: 0, height }, style);
if (isHint) shape.setAttribute("fill-opacity", "0.6");
return shape;
});
}
function textShape(text, { x, y, width, height }, style) {
measure ??= document.createElement("canvas").getContext("2d");
let rise = height * 0.78;
if (measure !== null) {
measure.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: beneath } = measure.measureText(text);
rise = (height - above - beneath) / 2 + above;
}
const { color, opacity } = plainColor(style.color);
const words = text.trimEnd();
const isRight = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(words);
const isFitted = width > 0 && words.length === text.length && [...words].length > 1;
return draw("text", {
x: round(isRight && width > 0 ? x + width : x), y: round(y + rise), "font-family": style.fontFamily,
"font-size": Number.parseFloat(style.fontSize), "font-weight": style.fontWeight, "xml:space": "preserve",
...paint("fill", color, opacity), ...(isRight && { direction: "rtl" }),
...(isFitted && { textLength: round(width), lengthAdjust: "spacingAndGlyphs" }),
}, words);
}
function iconParts(element, style, { x, y, width, height }) {
const [file, id] = element.querySelector("use")?.getAttribute("href")?.split("#") ?? [];
const symbol = (file === "" ? document : symbols)?.getElementById(decodeURIComponent(id));
if (!(symbol instanceof SVGElement) || width === 0) return [];
const [, , across, down] = (symbol.getAttribute("viewBox") ?? "0 0 20 20").split(" ").map(Number);
const shapes = [...symbol.querySelectorAll(shapeNames)].map((shape) => {
const copy = (shape.cloneNode());
const isSolid = shape.matches(".solid");
copy.removeAttribute("class");
for (const name of shapeProperties) {
const value = isSolid && name === "fill" ? style.color : isSolid && name === "stroke" ? "none"
: shape.closest(`[${name}]`)?.getAttribute(name) ?? style.getPropertyValue(name);
const isColor = value !== "none" && ["fill", "stroke"].includes(name);
const color = value.toLowerCase() === "currentcolor" ? style.color : value;
const attributes = isColor ? paint(name, ...colorOf(color)) : { [name]: value.replaceAll("px", "") };
for (const [key, each] of Object.entries(attributes)) copy.setAttribute(key, String(each));
}
return copy;
});
const scale = Math.min(width / across, height / down);
return [draw("g", {
transform: `translate(${round(x + (width - across * scale) / 2)} ${round(y + (height - down * scale) / 2)}) scale(${
round(scale)})`,
}, ...shapes)];
}
function imageParts(image, style, origin) {
const { x, y, width, height } = boxOf(image.getBoundingClientRect(), origin);
const canvas = Object.assign(document.createElement("canvas"), { width: density * width, height: density * height });
const title = image.alt === "" ? null : draw("title", {}, image.alt);
if (image.naturalWidth === 0) {
const { color, opacity } = plainColor(style.color);
const frame = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
return [draw("rect", { ...frame, fill: "none", ...paint("stroke", color, opacity / 2) }, title)];
}
const scale = Math.min(canvas.width / image.naturalWidth, canvas.height / image.naturalHeight);
const [across, down] = [scale * image.naturalWidth, scale * image.naturalHeight];
canvas.getContext("2d")
?.drawImage(image, (canvas.width - across) / 2, (canvas.height - down) / 2, across, down);
const link = { "xmlns:xlink": "http://www.w3.org/1999/xlink", "xlink:href": canvas.toDataURL() };
return [draw("image", { x, y, width, height, ...link }, title)];
}
function boxOf({ left, top, width, height }, origin) {
return { x: left - origin.x, y: top - origin.y, width, height };
}
function colorOf(text) {
const { color, opacity } = plainColor(text);
return [color, opacity];
}
function paint(name, color, opacity) {
return { [name]: color, ...(opacity < 1 && { [`${name}-opacity`]: opacity }) };
}
const round = (value) => Math.round(value * 100) / 100;
return { pictureOf };
})();
const module85 = (() => {

const { routeCommand } = module30;
const { $, make, setAttribute, setText } = module0;
const { writeJSON } = module3;
const kinds = ["route", "outcome", "entry"];
class RawDocuments {
#documents = {};
#kind = "route";
constructor({ copy, command }) {
this.command = command;
for (const kind of kinds) $(`raw-${kind}`).addEventListener("click", () => this.#show(kind));
$("raw-copy").addEventListener("click", () => copy($("raw-json").textContent));
$("raw-curl").addEventListener("click", () => copy(this.#command));
$("raw-close").addEventListener("click", () => $("raw").close());
}
async open(session, version, kind) {
this.session = session.id;
this.version = version;
const loaded = { outcome: session.outcomes.get(version), entry: session.entryOf(version) };
const route = await session.routeOf(version).catch((problem) => {
if (!loaded[kind]) throw problem;
});
this.#documents = { ...loaded, route };
setText($("raw-heading"), `Version ${version}`);
for (const each of kinds) $(`raw-${each}`).disabled = !this.#documents[each];
this.#show(this.#documents[kind] ? kind : "route");
if (!$("raw").open) $("raw").showModal();
}
#show(kind) {
this.#kind = kind;
for (const each of kinds) setAttribute($(`raw-${each}`), "aria-pressed", each === kind);
$("raw-json").replaceChildren(...coloured(writeJSON(this.#documents[kind], 2)));
$("raw-json").scrollTop = 0;
$("raw-curl").disabled = this.#command === null;
}
get #command() {
const { entry } = this.#documents;
return this.#kind === "route" ? routeCommand(this.session, this.version) : this.command(this.session, entry);
}
}
function coloured(json) {
return json.split(/("(?:[^"\\]|\\.)*"(?=:))/).map((part, index) =>
index % 2 === 1 ? make("span", { className: "json-name" }, part) : part);
}
return { RawDocuments };
})();
const module86 = (() => {

const slowTurn = 50;
const slowTrip = 500;
const slowWork = 5;
function tookOf({ time, origin = "client" }, begun, sent) {
if (origin === "work" && begun) {
const seconds = Math.round((Date.parse(time) - Date.parse(begun.time)) / 1000);
if (!(seconds >= 0)) return null;
const text = seconds === 0 ? "<1 s" : `${seconds} s`;
return { text, what: `The work took ${text}.`, isSlow: seconds >= slowWork };
}
if (sent === undefined) return null;
const { trip, turn } = sent;
const answer = milliseconds(trip);
if (turn === undefined) return { text: answer, what: `The answer took ${answer}.`, isSlow: trip >= slowTrip };
const isLate = trip >= slowTrip;
const own = milliseconds(turn);
return {
text: isLate ? `turn ${own}, answer ${answer}` : `turn ${own}`,
what: `The turn took ${own}, and the answer ${answer}.`, isSlow: isLate || turn >= slowTurn,
};
}
function milliseconds(time) {
if (time >= 9.95) return `${Math.round(time)} ms`;
return time < 0.1 ? "<0.1 ms" : `${Number(time.toFixed(1))} ms`;
}
function versionOf(pending) {
const version = /^\d+(?=-)/.exec(pending ?? "")?.[0];
return version === undefined ? null : Number(version);
}
return { tookOf, versionOf };
})();
const module87 = (() => {

const types = ["open", "route", "reset", "end", "error"];
const patience = 3000;
class SharedStream extends EventTarget {
readyState = 0;
#address;
#channel;
#source = null;
#state = null;
#route = null;
#leaving = new AbortController();
#release = () => {};
#timer = setTimeout(() => this.dispatchEvent(new Event("waiting")), patience);
constructor(address, locks = globalThis.navigator?.locks) {
super();
this.#address = address;
if (!locks) {
queueMicrotask(() => this.#lead());
return;
}
this.#channel = new BroadcastChannel(address);
this.#channel.onmessage = ({ data }) => this.#hear(data);
this.#channel.postMessage({ type: "join" });
locks.request(address, { signal: this.#leaving.signal }, () => this.#lead()).catch(() => {});
}
close() {
this.readyState = 2;
clearTimeout(this.#timer);
this.#source?.close();
this.#channel?.close();
this.#leaving.abort();
this.#release();
}
#lead() {
if (this.readyState === 2) return null;
const source = new EventSource(this.#address);
this.#source = source;
for (const type of types) {
source.addEventListener(type, ({ data }) => {
if (this.readyState === 2) return;
const message = { type, data, readyState: source.readyState };
if (type === "open" || type === "error") this.#state = message;
else this.#route = message;
this.#channel?.postMessage(message);
this.#hear(message);
});
}
return new Promise((resolve) => { this.#release = resolve; });
}
#hear({ type, data, readyState }) {
if (type === "join") {
if (this.#source === null) return;
for (const message of [this.#state, this.#route]) if (message) this.#channel?.postMessage(message);
return;
}
clearTimeout(this.#timer);
if (readyState === 2) this.close();
else this.readyState = readyState ?? this.readyState;
this.dispatchEvent(Object.assign(new Event(type), { data }));
}
}
return { patience, SharedStream };
})();
const module88 = (() => {

const api = module4;
const { readJSON, writeJSON } = module3;
const { journalText, readJournal } = module44;
const { tookOf, versionOf } = module86;
const { patience, SharedStream } = module87;
const { traceOf } = module9;
const page = 50;
const longPage = 1000;
const slack = 1.25;
const kept = 1000;
const mostKept = 20_000;
const firstDelay = 1000;
const longestDelay = 10_000;
class Session extends EventTarget {
route = null;
entries = [];
past = null;
isWithheld = null;
parent = null;
status = "connecting";
outcomes = new Map();
#trips = new Map();
#received = null;
#header = null;
#room = kept;
#older = null;
#earlier = null;
#journey = null;
#opened = Promise.withResolvers();
#turns = new Set();
#made = 0;
#tag = null;
#isPaused = false;
#named = new Map();
#following = null;
#stream = null;
#refusals = 0;
#unanswered = null;
constructor(id) {
super();
this.id = id;
}
get shown() {
return this.past ?? this.route;
}
get story() {
const version = this.shown?.version;
const entry = this.entryOf(version);
if (!entry) return null;
const trace = this.outcomes.get(version)?.trace ?? traceOf(entry);
return { ...entry, trace, asked: this.#named.get(entry.pending) ?? null };
}
entryOf(version) {
const [first] = this.entries;
return first && version >= first.version
? this.entries[version - first.version] : [this.#earlier].find((entry) => entry?.version === version);
}
tookOf(entry) {
return tookOf(entry, this.entryOf(versionOf(entry.pending) ?? 0), this.#trips.get(entry.version));
}
get isUntouched() {
return this.firstEntry === 1 && this.entries.every(({ origin }) => origin !== "client");
}
get destination() {
return this.#journey?.version ?? this.shown.version;
}
get isTravelling() {
return this.#journey !== null;
}
get isBusy() {
const { version } = this.route;
return [...this.#turns].some((turn) => turn.version === version) || this.#made > version;
}
get firstEntry() {
return this.entries[0]?.version ?? 1;
}
get hasOlder() {
return !this.hasEnded && this.firstEntry > 1;
}
get isWritable() {
return this.past === null && !this.#isOver;
}
get canWithhold() {
return this.shown.pending?.length > 0 && !this.isWithheld;
}
get hasEnded() {
return this.status === "ended";
}
get isCutOff() {
return this.hasEnded && this.firstEntry > 1;
}
get #isOver() {
return ["quarantined", "ended", "closed"].includes(this.status);
}
async open() {
const timer = setTimeout(() => this.#setStatus("waiting"), patience);
try {
await this.#readRoute();
} catch (problem) {
this.#note(problem);
}
clearTimeout(timer);
this.#connect();
}
close() {
this.#journey?.reading.abort();
this.#journey = null;
this.#opened.resolve();
this.#stream?.close();
this.status = "closed";
}
pause() {
this.#isPaused = true;
this.#stream?.close();
this.#stream = null;
}
resume() {
this.#isPaused = false;
this.#connect();
}
emit(request) {
return this.#turn(request, (key) => api.emit(this.id, request, key));
}
press(request) {
const { version } = this.route;
return this.#turn(request, async (key) => api.emit(this.id, request, key, await this.#tagOf(version)));
}
openPath(path) {
return this.#turn(path, (key) => api.openPath(this.id, path, key));
}
async travel(version) {
this.#journey?.reading.abort();
const journey = { version, reading: new AbortController() };
this.#journey = journey;
try {
await (this.route ?? this.#opened.promise);
if (this.#journey !== journey) return false;
if (version === this.route?.version) {
this.returnToNow();
return true;
}
const route = await this.routeOf(version, journey.reading.signal);
await this.#readEntry(version);
if (this.#journey !== journey) return false;
this.#journey = null;
this.#learnNames(route);
this.past = route;
this.#change();
return true;
} catch (problem) {
if (this.#journey !== journey) return false;
this.#journey = null;
this.#change();
throw problem;
}
}
returnToNow() {
if (!this.past && !this.#journey) return;
this.#journey?.reading.abort();
this.#journey = null;
this.past = null;
this.#change();
}
async routeOf(version, signal) {
const loaded = [this.route, this.past, this.hasEnded ? this.outcomes.get(version)?.route : null];
const known = loaded.find((route) => route?.version === version);
if (!known) this.#requireServer(`Version ${version} was not loaded, so the page cannot show it.`);
return known ?? this.#asked(api.route(this.id, version, signal));
}
async exportedJournal({ isWhole = false } = {}) {
if (!this.hasEnded) return this.#asked(api.exportedJournal(this.id));
if (this.#header === null) this.#requireServer("The page did not load its journal.");
if (isWhole && this.isCutOff) this.#requireServer(`The page has no events before version ${this.firstEntry}.`);
return journalText(this.#header, this.entries);
}
async fork(version, withholdsWork = false) {
this.#requireServer("It cannot be forked. Export its journal and import it to continue.");
return (await this.#asked(api.fork(this.id, version, withholdsWork))).id;
}
async replay(edit) {
this.#requireServer("Its events cannot be replayed.");
const fork = await this.#asked(api.replay(this.id, this.route.version, [edit]));
const refusal = fork.edited.refused.find(({ version, after }) => version === edit.version && after === edit.after);
if (refusal === undefined) return fork;
await api.endSession(fork.id).catch(() => {});
throw new api.Problem(refusal.problem);
}
async end() {
await this.#asked(api.endSession(this.id));
this.#end();
}
loadOlder() {
this.#older ??= this.#readOlder().finally(() => { this.#older = null; });
return this.#older;
}
async #readOlder() {
if (!this.hasOlder) return;
this.#room = mostKept;
const first = this.entries[0].version;
const after = Math.max(0, first - 1 - longPage);
const older = await this.#asked(api.journal(this.id, after, first - 1 - after));
if (this.entries[0].version !== first) return;
this.entries = [...older, ...this.entries];
this.#change();
}
async #readEntry(version) {
if (version === 0 || this.entryOf(version) || this.hasEnded) return;
if (this.hasOlder && version >= this.entries[0].version - longPage) await this.loadOlder();
if (!this.entryOf(version)) [this.#earlier] = await this.#asked(api.journal(this.id, version - 1, 1));
}
async #turn(request, send) {
const turn = { version: this.route.version };
const attempt = writeJSON([turn.version, request]);
const key = this.#unanswered?.attempt === attempt ? this.#unanswered.key : api.newKey();
this.#unanswered = null;
this.#turns.add(turn);
const sent = performance.now();
try {
const { outcome, duration } = await this.#asked(send(key));
this.outcomes.set(outcome.version, outcome);
this.#trips.set(outcome.version, { trip: performance.now() - sent, turn: duration });
this.#made = Math.max(this.#made, outcome.version);
this.#receive(outcome.route);
if (this.route.version >= outcome.version) this.#change();
return outcome.version;
} catch (problem) {
this.#unanswered = { attempt, key };
if (problem.isConflict) await this.#readRoute().then(() => this.#following).catch(() => {});
throw problem;
} finally {
this.#turns.delete(turn);
}
}
async #tagOf(version) {
this.#tag ??= (await api.taggedRoute(this.id)).tag;
return this.#tag?.replace(/\d+/, version) ?? null;
}
async #readRoute() {
const { route, tag } = await api.taggedRoute(this.id);
this.#tag = tag;
this.#receive(route);
}
#requireServer(detail) {
if (this.hasEnded) throw new api.Problem({ title: "The session has ended.", detail });
}
async #asked(answer) {
try {
return await answer;
} catch (problem) {
this.#note(problem);
throw problem;
}
}
#connect() {
if (this.#isOver || this.#isPaused || this.#stream) return;
const stream = new SharedStream(api.eventsAddress(this.id));
this.#stream = stream;
stream.addEventListener("open", () => {
this.#refusals = 0;
this.#setStatus("live");
this.#catchUp();
});
for (const name of ["route", "reset"]) {
stream.addEventListener(name, ({ data }) => this.#receive(readJSON(data)));
}
stream.addEventListener("end", () => this.#end());
stream.addEventListener("waiting", () => this.#setStatus("waiting"));
stream.addEventListener("error", () => {
this.#setStatus("lost");
if (stream.readyState !== 2) return;
if (this.#stream === stream) this.#stream = null;
this.#reconnect();
});
}
async #reconnect() {
try {
await this.#readRoute();
} catch (problem) {
this.#note(problem);
}
const delay = Math.min(firstDelay * 2 ** this.#refusals++, longestDelay);
setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
}
#receive(route) {
this.#learnNames(route);
if (this.#received && route.version <= this.#received.version) return;
this.#received = route;
this.#catchUp();
}
#learnNames({ pending = [] }) {
for (const each of pending) {
this.#named.delete(each.id);
this.#named.set(each.id, each);
}
for (const id of this.#named.keys()) {
if (this.#named.size <= kept) break;
this.#named.delete(id);
}
}
#catchUp() {
if (this.#received) this.#following ??= this.#follow();
}
async #follow() {
do {
const route = this.#received;
const isShort = this.route === null && route.version <= page;
const journal = isShort ? [this.#readWhole()] : [this.#readJournal(route.version), this.#readHeader()];
await Promise.all([...journal, this.#readOrigin()].map((reading) => reading.catch(() => {})));
this.route = route;
this.#opened.resolve();
this.#change();
} while (this.route !== this.#received);
this.#following = null;
}
async #readOrigin() {
if (this.isWithheld !== null) return;
const { work, parent } = await api.session(this.id);
this.isWithheld = work === "withheld";
this.parent = parent;
}
async #readWhole() {
const { header, entries } = readJournal(await api.exportedJournal(this.id));
this.#header = header;
this.entries = entries;
}
async #readHeader() {
this.#header ??= await api.journalHeader(this.id);
}
async #readJournal(version) {
const last = () => this.entries.at(-1)?.version ?? 0;
if (this.route === null || version - last() > this.#room) {
const after = Math.max(last(), version - page);
if (after < version) this.entries = await api.journal(this.id, after, page);
}
while (last() < version) {
const fresh = await api.journal(this.id, last(), longPage);
if (fresh.length === 0) return;
const all = [...this.entries, ...fresh];
this.entries = all.length > this.#room * slack ? all.slice(-this.#room) : all;
}
}
#note(problem) {
if (problem.isUnknownSession) this.#end();
if (!problem.isChangedApp || this.#isOver) return;
this.#stream?.close();
this.#setStatus("quarantined");
this.dispatchEvent(Object.assign(new Event("problem"), { problem }));
}
#end() {
this.#stream?.close();
this.#journey?.reading.abort();
this.#journey = null;
this.past = null;
this.#opened.resolve();
this.#setStatus("ended");
}
#setStatus(status) {
if (this.status === status || this.status === "closed") return;
this.status = status;
this.#change();
}
#change() {
if (this.status !== "closed") this.dispatchEvent(new Event("change"));
}
}
return { Session };
})();
const module89 = (() => {

const { Problem } = module4;
const { showBusy } = module5;
const { $, setText } = module0;
const { showProblemIn } = module15;
const { attributeChanges } = module37;
class SessionDialog {
#session = null;
constructor({ join, read, change, start, end, copy }) {
this.read = read;
$("session-copy").addEventListener("click", () => copy($("session-link").value));
$("session-new").addEventListener("click", () => {
$("session-dialog").close();
start();
});
$("session-close").addEventListener("click", () => $("session-dialog").close());
$("session-end").addEventListener("click", () => $("ending").showModal());
$("ending-cancel").addEventListener("click", () => $("ending").close());
$("ending-end").addEventListener("click", () => {
$("ending").close();
$("session-dialog").close();
end();
});
$("session-form").addEventListener("submit", async (event) => {
event.preventDefault();
const { id, attributes = {} } = this.#session;
const changes = {
name: $("session-name").value.trim() || null,
attributes: attributeChanges(attributes, $("session-attributes").value),
};
if (await showBusy($("session-save"), this.#try(change(id, changes)))) $("session-dialog").close();
});
$("session-join-form").addEventListener("submit", async (event) => {
event.preventDefault();
showProblemIn($("session-join-form"), null);
try {
await join($("session-join").value.trim());
$("session-dialog").close();
} catch (problem) {
showProblemIn($("session-join-form"), problem);
$("session-join").select();
}
});
}
open(id, hasEnded) {
$("session-link").value = location.href;
setText($("session-id"), id);
this.#show(null);
$("session-form").hidden = hasEnded;
if (!hasEnded) this.#try(this.read(id));
$("session-join").value = "";
showProblemIn($("session-join-form"), null);
$("session-end").disabled = hasEnded;
$("session-dialog").showModal();
}
async #try(answer) {
showProblemIn($("session-form"), null);
try {
const session = await answer;
if (session.id === $("session-id").textContent) this.#show(session);
return true;
} catch (problem) {
if (!(problem instanceof Problem)) throw problem;
showProblemIn($("session-form"), problem);
return false;
}
}
#show(session) {
this.#session = session;
const { name, key, reference, attributes = {} } = session ?? {};
$("session-names").hidden = !reference;
setText($("session-reference"), reference ?? "");
$("session-keyed").hidden = !key;
setText($("session-key"), key ?? "");
$("session-name").value = name ?? "";
$("session-attributes").value = Object.keys(attributes).length > 0 ? JSON.stringify(attributes, null, 2) : "";
for (const id of ["session-name", "session-attributes", "session-save"]) $(id).disabled = session === null;
}
}
return { SessionDialog };
})();
const module90 = (() => {

const { showBusy } = module5;
const { $ } = module0;
const { putValue, valuesIn } = module19;
const { makeField } = module21;
const { inputFor, pointerTo } = module20;
const { showProblemIn } = module15;
class Starter {
#options = [];
#isStarting = false;
constructor({ start }) {
$("starter-cancel").addEventListener("click", () => $("starter").close());
$("starter-form").addEventListener("submit", async (event) => {
event.preventDefault();
if (this.#isStarting) return;
this.#isStarting = true;
showProblemIn($("starter-form"), null);
try {
await showBusy($("starter-start"), start(valuesIn($("starter-fields"))));
$("starter").close();
} catch (problem) {
showProblemIn($("starter-form"), problem, (value) => {
putValue($("starter-fields"), problem.pointer, value);
});
} finally {
this.#isStarting = false;
}
});
}
offer(options) {
this.#options = options;
}
get hasOptions() {
return this.#options.length > 0;
}
open() {
showProblemIn($("starter-form"), null);
$("starter-fields").replaceChildren(...this.#options.map((option) => makeField({
...inputFor(option.name, option), prefix: "starter-field", pointer: pointerTo("options", option.name),
})));
$("starter").showModal();
}
}
return { Starter };
})();
const module91 = (() => {

const { isolated } = module8;
const { $, keyed, make, setAttribute, setText } = module0;
const { emitter, originIcon } = module42;
const { closed, isAlert, statusText } = module82;
const { payloadText, shortName, shortPayload } = module9;
class Story {
constructor({ now, fork, travel }) {
$("now").addEventListener("click", now);
$("fork").addEventListener("click", fork);
this.#step("earlier", () => travel(this.session.destination - 1));
this.#step("later", () => travel(this.session.destination + 1));
}
#step(id, go) {
$(id).addEventListener("click", () => {
if ($(id).getAttribute("aria-disabled") === "false") go();
});
}
show(session) {
const { story, shown, past, route } = session;
this.session = session;
const isWelcome = past === null && session.isUntouched;
$("story").hidden = story === null || isWelcome;
$("welcome").hidden = !isWelcome;
setText($("story-route"), shown.path);
if (story) this.#tell(story);
document.body.classList.toggle("in-past", past !== null);
const loses = past === null && $("past").contains(document.activeElement);
$("past").hidden = past === null;
if (loses) whereToGoOn().focus({ preventScroll: true });
if (past) setText($("past-version"), `Version ${past.version} of ${route.version}`);
$("fork").disabled = session.hasEnded;
setAttribute($("fork"), "aria-haspopup", session.canWithhold ? "dialog" : null);
setAttribute($("earlier"), "aria-disabled", shown.version === 0);
setAttribute($("later"), "aria-disabled", past === null);
}
#tell(story) {
const { event, payload, trace, handledBy } = story;
const origin = emitter(story);
const symbol = originIcon(story);
setText($("story-origin"), origin ?? "Event");
setAttribute($("story-origin"), "title", origin);
$("story").classList.toggle("foreign", origin !== null);
$("story-icon").toggleAttribute("hidden", symbol === null);
if (symbol) setAttribute($("story-icon").firstElementChild, "href", `#icon-${symbol}`);
setText($("story-event"), event);
setText($("story-payload"), shortPayload(payload));
$("story-payload").title = payloadText(payload);
setText($("story-handled"), handledBy === null ? "no coordinator" : shortName(handledBy));
$("story").classList.toggle("unhandled", handledBy === null);
const passed = trace.filter(({ intercepted }) => !intercepted);
keyed($("story-trace"), passed, ({ coordinator }) => coordinator, () => make("li"), (item, { coordinator }) => {
setText(item, shortName(coordinator));
item.title = coordinator;
});
$("story-straight").hidden = passed.length > 0;
}
}
function whereToGoOn() {
const title = $("screen-title");
return title.checkVisibility() ? title : document.querySelector(".switcher [aria-current=true]");
}
function spoken({ story, shown, past, isWithheld = false }) {
const pending = (shown.pending ?? []).map(({ name }) => isolated(name));
return [
past && `Version ${shown.version}, read-only.`,
`${shown.path}.`,
isAlert(shown.screen) && closed(isolated(shown.screen.title)),
statusText(shown.screen),
story && `${sentence(story)}.`,
shown.parked && `Parked: ${shown.parked.path}.`,
isWithheld && "Work withheld.",
pending.length > 0 && `Pending: ${pending.join(", ")}.`,
].filter(Boolean).join(" ");
}
function sentence(story) {
const origin = emitter(story);
const who = story.handledBy ? `handled by ${shortName(story.handledBy)}` : "not handled";
return origin ? `${origin} ${story.event}, ${who}` : `${story.event} ${who}`;
}
return { Story, spoken };
})();
const module92 = (() => {

const { $, icon, keyed, make, setAttribute, setText } = module0;
const { isolated } = module8;
const { roving } = module39;
const { actionOf } = module1;
const { animate } = module79;
const { below, find, visibleChain } = module26;
const { shortName } = module9;
const hop = 220;
const kinds = { leaf: "leaf", container: "container", navigation: "navigation stack", tabBar: "tab bar" };
class Tree {
#updateTabStop = roving($("tree"), "[role=treeitem]");
#shown = {};
constructor({ select }) {
const press = (target) => {
const item = target.closest("[role=treeitem]");
if (item?.matches("[data-started=true]")) select(item.dataset.coordinator);
};
$("tree").addEventListener("click", ({ target }) => {
if (target.closest(".node")) press(target);
});
$("tree").addEventListener("keydown", (event) => {
const { target } = event;
const action = actionOf("tree", event);
if (action === "press") press(target);
else if (action === "out") target.parentElement.closest("[role=treeitem]")?.focus();
else if (action === "in") target.querySelector("[role=treeitem]")?.focus();
else return;
event.preventDefault();
});
}
show(route, story) {
const hadFocus = $("tree").contains(document.activeElement);
const trace = story?.trace ?? [];
const steps = new Map(trace.map((step, index) => [step.coordinator, { ...step, index }]));
const gone = trace.map(({ coordinator }) => coordinator).filter((id) => !find(route.tree, id));
const visible = visibleChain(route.tree);
this.#showNodes($("tree"), [{ ...route.tree, level: 1 }], { steps, gone, visible, leaf: visible.at(-1) });
const current = $("tree").querySelector("[aria-current]");
this.#updateTabStop(current);
if (hadFocus && !$("tree").contains(document.activeElement)) current.focus();
if (this.#shown.leaf !== route.leaf) current.firstElementChild.scrollIntoView({ block: "nearest" });
const isNew = story && (this.#shown.version !== story.version || this.#shown.session !== route.session);
if (isNew && this.#shown.session === route.session) this.#animate(trace);
this.#shown = route;
}
#showNodes(list, nodes, context) {
keyed(list, nodes, ({ id, isGone }) => (isGone ? `${id} gone` : id), makeNode, (item, node) => {
this.#updateNode(item, node, context);
this.#showNodes(item.lastElementChild, below(node, context.gone), context);
item.lastElementChild.hidden = item.lastElementChild.childElementCount === 0;
});
}
#updateNode(item, node, { steps, visible, leaf }) {
const step = steps.get(node.id);
const isVisible = visible.includes(node.id);
const said = step ? (step.intercepted ? "handled it" : "passed it on") : "";
const facts = node.isGone ? ["ended since"] : [
kinds[node.kind] ?? node.kind,
node.title && `“${isolated(node.title)}”`,
node.isPresented && "modal",
node.position,
node.section && `section ${node.section}`,
!node.started && "not started",
].filter(Boolean);
item.dataset[node.isGone ? "gone" : "coordinator"] = node.id;
item.dataset.kind = node.kind ?? "gone";
item.dataset.started = Boolean(node.started);
item.dataset.visible = isVisible;
item.classList.toggle("in-section", Boolean(node.section));
item.classList.toggle("section-begins", Boolean(node.beginsSection));
item.classList.toggle("section-ends", Boolean(node.endsSection));
setAttribute(item, "data-section", node.section ?? null);
setAttribute(item, "data-trace", step ? (step.intercepted ? "handled" : "passed") : null);
setAttribute(item, "aria-level", node.level);
setAttribute(item, "aria-current", node.id === leaf ? "true" : null);
setAttribute(item, "aria-label", [
shortName(node.id), ...facts, node.route && `route ${node.route}`, node.badge && `badge ${node.badge}`,
isVisible && "on the screen", said,
].filter(Boolean).join(", "));
const part = (name) => item.firstElementChild.querySelector(`.${name}`);
setAttribute(part("icon").firstElementChild, "href", `#icon-${node.kind ?? "gone"}`);
setText(part("node-name"), shortName(node.id));
setText(part("node-facts"), facts.join(" · "));
for (const [name, text] of [["node-route", node.route], ["badge", node.badge], ["node-said", said]]) {
part(name).hidden = !text;
setText(part(name), text || "");
}
}
#animate(trace) {
const origin = $("tree").getBoundingClientRect();
const places = [];
for (const { coordinator, intercepted } of trace) {
const item = $("tree").querySelector(
`[data-coordinator="${CSS.escape(coordinator)}"], [data-gone="${CSS.escape(coordinator)}"]`);
const { left, top, width, height } = item.querySelector(".icon").getBoundingClientRect();
places.push(`translate(${left - origin.left + width / 2}px, ${top - origin.top + height / 2}px)`);
const delay = (places.length - 1) * hop;
const appear = { duration: 260, delay, fill: "backwards" };
animate(item.querySelector(".node-said"), { opacity: [0, 1], transform: ["translateY(6px)", "none"] }, appear);
if (!intercepted) continue;
animate(item.querySelector(".icon"), { transform: ["none", "scale(1.35)", "none"] }, { duration: 420, delay });
}
const rise = { duration: Math.max(1, places.length - 1) * hop + 160, easing: "ease-in-out" };
const first = places.length === 1 ? [places[0], places[0]] : places;
animate($("bubble"), { transform: first, opacity: [...first.slice(1).map(() => 1), 0] }, rise);
}
}
function makeNode() {
return make("li", { role: "treeitem", tabIndex: -1 },
make("div", { className: "node" },
icon("leaf"),
make("span", { className: "node-words" },
make("span", { className: "node-name" }), make("span", { className: "node-facts" })),
make("span", { className: "node-route" }),
make("span", { className: "badge" }),
make("span", { className: "node-said" })),
make("ul", { role: "group" }));
}
return { Tree };
})();
const module93 = (() => {

const name = "coordinate.untouched";
function untouched(storage = keeping()) {
try {
return storage?.getItem(name) ?? null;
} catch {
return null;
}
}
function noteUntouched(id, storage = keeping()) {
try {
if (id === null) storage?.removeItem(name);
else storage?.setItem(name, id);
} catch {
}
}
function keeping() {
try {
return localStorage;
} catch {
return null;
}
}
return { untouched, noteUntouched };
})();
const module94 = (() => {

const { $, setAttribute } = module0;
const otherSession = {
title: "Web pages in this browser show another session.",
detail: "Its cookie names that session. Delete this server’s cookies, or open the link in a private window.",
};
class WebPageLink {
#cookie = null;
#session = "";
constructor({ isOwn, report }) {
const link = ($("web-page"));
link.addEventListener("click", async (event) => {
const session = this.#session;
if (enter(session, this.#cookie)) return;
event.preventDefault();
if (await isOwn(session)) open(link.href, "_blank", "noopener");
else report(otherSession);
});
}
offer(cookie) {
this.#cookie = cookie;
}
show({ session, path }, isWritable) {
this.#session = session;
$("web-page").hidden = this.#cookie === null || !isWritable;
setAttribute($("web-page"), "href", address(path));
}
}
function address(path) {
const { pathname, search } = new URL(`/app${path}`, location.href);
return pathname + search === `/app${path}` ? `/app${path}` : "/app";
}
function enter(session, name) {
const cookie = `${name}${location.port && `-${location.port}`}=${session}`;
document.cookie = `${cookie}; Path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
return document.cookie.split("; ").includes(cookie);
}
return { WebPageLink };
})();
const module95 = (() => {

const { AddressBar } = module2;
const api = module4;
const { showBusy } = module5;
const { Catalog } = module6;
const { WhatChanged } = module11;
const { Comparison } = module18;
const { Composer } = module27;
const { copied } = module28;
const { eventCount, firstEvents } = module12;
const { eventCommand } = module30;
const { $, setText } = module0;
const { EditDialog } = module31;
const { writeJSON } = module3;
const { ForkDialog } = module32;
const { oncePerFrame } = module33;
const {
fragmentOf, homeFragment, isHome, isSessionID, journalFilterIn, sessionFilterIn, sessionIn, versionIn,
} = module17;
const { Help, isTyping } = module34;
const { Home } = module38;
const { Journal } = module43;
const { acceptFiles, chooseFile, save } = module36;
const { fileName, plainName, readJournal } = module44;
const { Scrubber } = module45;
const { swiftTest } = module46;
const { JournalTools, Menu } = module48;
const { actionOf } = module1;
const { LoginDialog } = module49;
const { AppMap } = module73;
const { follow } = module50;
const { isPosted } = module42;
const { Panes } = module74;
const { Forked, Parked } = module75;
const { Pending } = module76;
const { Phone } = module83;
const { pictureOf } = module84;
const { savePNG, saveSVG } = module69;
const { hideProblem, movedOn, notify, showProblem } = module15;
const { RawDocuments } = module85;
const { Session } = module88;
const { SessionDialog } = module89;
const { Starter } = module90;
const { Story, spoken } = module91;
const { Tree } = module92;
const { noteUntouched, untouched } = module93;
const { WebPageLink } = module94;
const statusTexts = {
connecting: "Connecting…", waiting: "Waiting…", live: "Live", lost: "Reconnecting…", quarantined: "App changed",
ended: "Ended",
};
const typingPause = 250;
const showSoon = oncePerFrame(show);
let session = null;
let catalog = new Catalog();
let catalogReading = null;
let followsAddress = false;
let filterTimer = 0;
const asRequest = ({ event, payload, at, pending }) => ({ event, payload, at, pending });
const emit = (action) => session.emit(asRequest(action));
const press = (action) => session.press(asRequest(action));
const openPath = (path) => attempt(() => session.openPath(path), (pattern) => address.use(pattern));
const travel = (version) => attempt(async () => {
if (!await session.travel(version)) return false;
showSoon.now();
journal.reveal(version);
});
const inspect = (version, kind) => attempt(() => documents.open(session, version, kind));
const command = (id, request) => eventCommand(id, catalog.withoutSecrets(request));
const canCopy = (entry) => isPosted(entry) || catalog.allows(entry.event);
const begin = async (options) => goTo((await api.startSession(options)).id);
const startAnew = () => (starter.hasOptions ? starter.open() : start());
const phone = new Phone({
perform: (action) => {
if (session.past) return forking.open(session, action);
return session.isBusy || attempt(() => press(action));
},
send: (request) => {
hideProblem();
return press(request);
},
report: (problem) => attempt(() => { throw problem; }),
open: openPath,
});
const webPage = new WebPageLink({ isOwn: api.isOwnSession, report: showProblem });
const tree = new Tree({ select: (at) => compose(at) });
const tools = new JournalTools({ changed: () => filterJournal(), now: () => session?.returnToNow() });
const scrubber = new Scrubber({ travel });
const journal = new Journal({
tools,
travel,
copy: (entry) => copy(command(session.id, entry)),
canCopy,
edit: (entry) => attempt(async () => {
await readCatalog();
await editing.open(entry, session.route.version);
}),
inspect: (version) => inspect(version, "entry"),
loadOlder: () => attempt(() => session.loadOlder()),
readOn: () => session.loadOlder().then(() => true, () => false),
});
const changed = new WhatChanged({
read: (version) => Promise.all([session.routeOf(version - 1), session.routeOf(version)]),
row: (version) => journal.row(version),
});
const comparison = new Comparison({ readRoute: api.route, readSession: api.session, readEvents: api.journal });
const story = new Story({
now: returnToNow, fork: () => (session.canWithhold ? forking.open(session) : fork()), travel,
});
const address = new AddressBar({ open: openPath });
const composer = new Composer({
send: async (request) => {
await emit(request);
hideProblem();
},
copy: (request) => copy(command(session.id, request)),
});
const editing = new EditDialog({
readRoute: (version) => session.routeOf(version),
replay: (edit) => session.replay(edit),
done: (fork, edit) => {
goTo(fork.id);
comparison.openReplay(fork, edit);
},
});
const documents = new RawDocuments({
copy,
command: (id, entry) => (canCopy(entry) ? command(id, entry) : null),
});
const map = new AppMap({
read: api.map,
go: (screen) => attempt(() => goToScreen(screen)),
leave: () => panes.leaveMap(),
isShown: () => document.body.dataset.pane === "map",
});
const panes = new Panes({ opened: () => attempt(() => map.open()) });
const parked = new Parked();
const forked = new Forked();
const pending = new Pending({ now: api.serverTime, post: (piece) => compose(null, piece) });
const starter = new Starter({ start: begin });
const help = new Help();
const home = new Home({
read: api.sessions, end: api.endSession, journal: api.exportedJournal, start: startAnew, addressOf: fragmentOf,
now: api.serverTime, filtered: (filter) => history.replaceState(null, "", homeFragment(filter)),
});
const login = new LoginDialog({
logIn: api.logIn, logOut: () => attempt(api.logOut), go: () => location.reload(),
});
const forking = new ForkDialog({ go: fork });
const sharing = new SessionDialog({
join, read: api.session, change: api.changeSession, start: startAnew, end: () => attempt(() => session.end()), copy,
});
async function attempt(action, use) {
hideProblem();
try {
await action();
return true;
} catch (problem) {
if (!(problem instanceof api.Problem)) throw problem;
const isShownElsewhere = problem.isUnknownSession || problem.isUnauthorized;
const useAndHide = use && ((value) => { hideProblem(); use(value); });
if (!isShownElsewhere) showProblem(problem.isConflict ? movedOn(problem) : problem, useAndHide);
return false;
}
}
new Menu("journal-more", "journal-menu", {
"copy-curl": () => copy(command(session.id, session.story)),
"copy-line": () => copy(writeJSON(session.entries.find(({ version }) => version === session.shown.version))),
"copy-swift": () => attempt(async () => {
const { shown } = session;
const { header, entries } = readJournal(await session.exportedJournal({ isWhole: true }));
await copy(swiftTest(header, entries.slice(0, shown.version), (entry) => catalog.filledIn(entry)));
}),
"download": () => attempt(async () => {
const { id, firstEntry } = session;
save(await session.exportedJournal(), fileName(catalog.app, id));
if (session.isCutOff) notify(`The file begins at version ${firstEntry}, so it cannot be imported.`);
}),
"import": chooseFile,
}, () => {
const { shown, story } = session;
setText($("copy-heading"), shown.version === 0 ? "Nothing has happened yet" : `Version ${shown.version}`);
$("copy-curl").disabled = story === null || !canCopy(story);
$("copy-line").disabled = story === null;
});
const screenPicture = async () => {
const { path, version } = session.shown;
return [await pictureOf($("phone"), $("screen-title").textContent ?? ""), plainName(catalog.app, path, version)];
};
const mapPicture = () => [map.picture(), plainName(catalog.app, "map")];
new Menu("screen-picture", "screen-menu", {
"screen-svg": async () => saveSVG(...await screenPicture()),
"screen-png": async () => savePNG(...await screenPicture()),
});
new Menu("map-picture", "map-menu", {
"map-svg": () => saveSVG(...mapPicture()), "map-png": () => savePNG(...mapPicture()),
});
acceptFiles(document.body, $("journal-pane"), $("journal-file"), (file) => attempt(async () => {
const { id, version } = await api.importJournal(await file.text());
goTo(id);
notify(`Imported ${eventCount(version)} from ${file.name} into a new session.`);
}));
async function visit() {
const last = untouched();
if (last !== null && await api.isUnused(last)) return goTo(last);
noteUntouched(null);
session?.close();
session = null;
setText($("status"), "No session");
document.body.classList.add("unstarted");
$("begin").hidden = false;
if (catalogReading === null) await readCatalog();
}
async function startFirst() {
const { id } = await api.startSession();
noteUntouched(id);
goTo(id);
}
async function start(action = begin) {
try {
await action();
} catch (problem) {
if (!(problem instanceof api.Problem)) throw problem;
if (session) return attempt(() => { throw problem; });
setText($("status"), "No session");
document.body.classList.add("unknown");
if (!problem.isUnauthorized) showEnd(`Could not start a session. ${problem.message}`);
}
}
function fork(action = null, withholdsWork = false) {
return attempt(async () => {
const { id: original, shown: { version } } = session;
const id = await session.fork(version, withholdsWork);
try {
if (action) await api.emit(id, asRequest(action), api.newKey());
} finally {
goTo(id);
}
notify(`Forked: a new session with ${firstEvents(version)}${action ? ", then your action" : ""}.`);
if (action) comparison.open(id, undefined, undefined, original);
});
}
async function goToScreen({ name, path, isLink, journal: steps }) {
if (isLink && session?.isWritable) {
const version = await session.openPath(path);
if (session.outcomes.get(version).route.screen.name === name) return notify(`Opened ${path}.`);
}
const id = (session?.status ?? "ended") === "ended" ? (await api.startSession()).id : await session.fork(0);
try {
if (isLink && !session?.isWritable) await api.openPath(id, path, api.newKey());
else await follow(steps, {
emit: (step) => api.emit(id, catalog.filledIn(step), api.newKey()),
settle: () => api.settledRoute(id),
});
const { screen } = await api.settledRoute(id);
notify(screen.name === name
? `New session at ${name}.`
: `New session at ${screen.name}, on the way to ${name}. The page cannot send the next event.`);
} finally {
goTo(id);
}
}
async function join(text) {
const id = sessionIn(text) ?? text;
if (!isSessionID(id)) throw new api.Problem(noSessionID(id));
await api.route(id).catch((problem) => { throw problem.isUnknownSession ? new api.Problem(noSession) : problem; });
goTo(id, versionIn(text), sessionIn(text) === null ? tools.filter : journalFilterIn(text));
}
function goTo(id, version = null, filter = tools.filter) {
history[session === null && !home.isOpen ? "replaceState" : "pushState"](null, "", fragmentOf(id, version, filter));
openNamed();
}
function open(id) {
session?.close();
hideProblem();
document.body.classList.remove("unstarted");
$("begin").hidden = true;
session = new Session(id);
session.addEventListener("change", () => {
if (session.shown) keepAddress();
showSoon();
});
session.addEventListener("problem", ({ problem }) => showProblem(problem));
if (document.hidden) session.pause();
session.open();
showStatus();
}
function openNamed() {
if (isHome(location.hash)) return openHome();
if (home.isOpen) closeHome();
const id = sessionIn(location.hash);
if (id === null) start(visit);
else if (!isSessionID(id)) refuse(id);
else followAddress(id, versionIn(location.hash));
}
async function followAddress(id, version) {
followsAddress = true;
showFilter(journalFilterIn(location.hash));
if (id !== session?.id) open(id);
const isNow = version === null && session.past === null && !session.isTravelling;
if (!isNow) await (version === null ? returnToNow() : travel(version));
followsAddress = false;
}
function keepAddress() {
const { id, past, status, isTravelling } = session;
const fragment = fragmentOf(id, past?.version, tools.filter);
if (isTravelling || sessionIn(location.hash) !== id || location.hash === fragment) return;
const crosses = (past === null) !== (versionIn(location.hash) === null);
const isStep = crosses && !followsAddress && status !== "ended";
history[isStep ? "pushState" : "replaceState"](null, "", fragment);
}
function filterJournal() {
if (session?.shown) show();
clearTimeout(filterTimer);
filterTimer = setTimeout(() => session && keepAddress(), typingPause);
}
function showFilter(filter) {
clearTimeout(filterTimer);
tools.filter = filter;
if (session?.shown) showSoon();
}
function refuse(id) {
const problem = noSessionID(id);
if (session) {
history.replaceState(null, "", fragmentOf(session.id, session.past?.version, tools.filter));
return showProblem(problem);
}
setText($("status"), "No session");
document.body.classList.add("unknown");
showEnd(`${problem.title} ${problem.detail}`);
}
const noSession = { title: "Session not found.", detail: "It has ended or never existed." };
function noSessionID(id) {
return {
title: "Not a session id.",
detail: `“${id.slice(0, 80)}” is not a session id. An id has 22 letters, digits, hyphens or underscores. `
+ "Copy it again, in full.",
};
}
function openHome() {
const back = session === null ? null : fragmentOf(session.id, null, tools.filter);
home.open(session?.id ?? null, back, sessionFilterIn(location.hash));
nameWindow();
}
function closeHome() {
home.close();
nameWindow();
}
function show() {
showStatus();
const { shown, isWritable } = session;
if (session.status === "live") {
hideProblem((problem) => problem.isNoAnswer);
if (catalogReading === null) attempt(readCatalog);
}
if (!shown) return;
if (session.id === untouched() && session.route.version > 0) noteUntouched(null);
document.body.dataset.version = shown.version;
phone.show(shown, isWritable, session.past !== null && !session.hasEnded);
webPage.show(shown, isWritable);
tree.show(shown, session.story);
journal.show(session);
scrubber.show(session);
story.show(session);
changed.show(session);
map.show(session);
parked.show(shown.parked ?? null, isWritable);
forked.show(session.parent);
pending.show(session.hasEnded ? [] : shown.pending ?? [], isWritable, session.isWithheld === true);
address.show(shown.path, isWritable);
nameWindow();
if (!home.isOpen) setText($("announcer"), spoken(session));
}
function nameWindow() {
const place = home.isOpen ? "Sessions" : session?.shown?.path;
document.title = [place, "Coordinate"].filter(Boolean).join(" · ");
}
function showStatus() {
const { status, id, route } = session;
setText($("status"), statusTexts[status]);
$("connection").dataset.status = status;
setText($("session-short"), id.slice(0, 6));
$("lost").hidden = status !== "lost";
$("waiting").hidden = status !== "waiting";
$("ended").hidden = true;
if (status === "ended") {
showEnd(route
? "This session has ended. The page shows its final state. You can export its journal. Earlier versions, "
+ "comparisons and forks are no longer available."
: `${noSession.title} ${noSession.detail}`);
}
$("connection").disabled = false;
$("compose").disabled = !session.isWritable || !route;
for (const id of ["route-json", "screen-picture"]) $(id).disabled = !route;
$("open-compare").disabled = !route || session.hasEnded;
$("journal-more").disabled = !route;
document.body.classList.toggle("ended", status === "ended");
document.body.classList.toggle("unknown", status === "ended" && !route);
}
function showEnd(reason) {
setText($("ended-reason"), reason);
$("ended").hidden = false;
}
async function compose(at = null, pending = null) {
if (!session.isWritable || !await attempt(readCatalog)) return;
const isWanted = session.isWritable && !document.querySelector("dialog[open]");
if (isWanted && composer.isReady) composer.open(session.route, at, pending);
}
function returnToNow() {
hideProblem();
session?.returnToNow();
}
async function copy(text) {
if (await copied(text)) return notify("Copied.");
$("manual-copy-text").value = text;
$("manual-copy").showModal();
$("manual-copy-text").select();
}
function readCatalog() {
catalogReading ??= takeCatalog().catch((problem) => {
catalogReading = null;
throw problem;
});
return catalogReading;
}
async function takeCatalog() {
const { document: own, cookie } = await api.catalog();
catalog = new Catalog(own);
webPage.offer(cookie);
journal.refresh();
for (const id of ["app-name", "begin-name"]) setText($(id), catalog.app);
address.suggestPatterns(catalog.paths);
map.offer(catalog.paths);
composer.offer(catalog.events);
editing.offer(catalog.events);
starter.offer(catalog.options);
if (session) show();
}
$("connection").addEventListener("click", () => sharing.open(session.id, session.hasEnded));
$("compose").addEventListener("click", () => compose());
$("route-json").addEventListener("click", () => inspect(session.shown.version, "route"));
$("story-json").addEventListener("click", () => inspect(session.shown.version, "outcome"));
$("open-compare").addEventListener("click", () => {
const { id, shown, past } = session;
comparison.open(id, past ? shown.version : Math.max(0, shown.version - 1), past ? undefined : shown.version);
});
$("begin-start").addEventListener("click", () => showBusy($("begin-start"), start(startFirst)));
$("ended-new").addEventListener("click", startAnew);
$("problem-close").addEventListener("click", () => hideProblem());
$("manual-copy-close").addEventListener("click", () => $("manual-copy").close());
addEventListener("hashchange", openNamed);
addEventListener("keydown", (event) => {
if (document.querySelector("dialog[open]")) return;
const action = actionOf("page", event);
if (action === "help" && !isTyping(event.target)) help.open();
if (action !== "leave") return;
if ($("problem").hidden) session?.returnToNow();
else hideProblem();
});
document.addEventListener("visibilitychange", () => {
if (document.hidden) session?.pause();
else session?.resume();
});
api.whenKeyIsWanted(() => login.open());
api.whenAnswered(() => hideProblem((problem) => problem.isNoAnswer));
attempt(readCatalog);
openNamed();
return {  };
})();
