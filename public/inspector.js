// Shows one session's route document as a phone, and sends the document's own actions back as events.
// Whatever carries an `event` in the document can be sent as it is: this page knows no app and no event by name.

const $ = (id) => document.getElementById(id);

/** The session asked for by name. Without one, the server goes by its cookie, or makes a session. */
let session = sessionStorage.getItem("session");
let route = null;
let busy = false;

// Talking to the server

/** Sends one request; gives the answer's document, or null after showing the problem instead. */
async function send(method, path, body) {
  if (busy) return null;
  setBusy(true);
  try {
    const headers = {};
    if (session) headers["Session"] = session;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
    const answered = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      showProblem(answered, `${answer.status} ${answer.statusText}`);
      return null;
    }
    $("problem").hidden = true;
    return answered;
  } catch {
    showProblem({ title: "The server does not answer.", detail: "See that it is running, then reload." });
    return null;
  } finally {
    setBusy(false);
  }
}

async function load() {
  const answered = await send("GET", "/route");
  if (!answered) return;
  show(answered);
  showCurl("GET", "/route");
}

/** Sends a request that makes a turn, and shows where it led. */
async function turn(method, path, body) {
  const outcome = await send(method, path, body);
  if (!outcome) return;
  show(outcome.route);
  showEvent(outcome, body);
  showCurl(method, path, body);
  const who = outcome.handled ? `handled by ${shortName(outcome.handledBy)}` : "not handled";
  $("status").textContent = `${route.screen.title ?? route.screen.name}. ${outcome.event} ${who}.`;
}

function perform({ event, payload }) {
  return turn("POST", "/events", { event, payload });
}

async function startSession() {
  session = null;
  const created = await send("POST", "/sessions");
  if (!created) return;
  session = created.id;
  sessionStorage.setItem("session", session);
  $("event").replaceChildren(make("p", { className: "hint" }, "None yet in this session."));
  await load();
}

// The phone

function show(next) {
  const focused = document.activeElement?.dataset.key;
  const moved = route?.leaf !== next.leaf;
  route = next;
  const { screen, navigation } = route;

  $("title").textContent = screen.title ?? screen.name;
  $("bar").replaceChildren(
    navigation.back
      ? button(navigation.back, { key: "back", className: "back", label: `Back to ${navigation.back.title}` })
      : "",
    navigation.dismiss ? button(navigation.dismiss, { key: "dismiss", className: "dismiss" }) : "",
  );
  $("rows").replaceChildren(...screen.rows.map(row));
  $("actions").replaceChildren(...screen.actions.map((action, index) => button(action, { key: `action ${index}` })));
  $("tabs").replaceChildren(...(navigation.tabs ?? []).map(tab));
  $("phone").classList.toggle("bare", screen.rows.length === 0);

  if (moved) {
    $("screen").scrollTop = 0;
    restartAnimation($("screen"));
  }
  if (focused) {
    const same = document.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    (same && (!moved || focused.startsWith("tab ")) ? same : $("title")).focus({ preventScroll: true });
  }

  showState();
  $("main").hidden = false;
}

function row({ id, title, subtitle, favorite, action, delete: remove }) {
  const content = [
    make("span", { className: "words" },
      make("span", { className: "name" }, title),
      subtitle ? make("span", { className: "subtitle" }, subtitle) : ""),
    favorite ? make("span", { className: "star" }, make("span", { className: "visually-hidden" }, "favorite")) : "",
  ];
  const main = action
    ? button(action, { key: `row ${id}`, className: "tap", content })
    : make("div", { className: "tap" }, ...content);
  const trailing = remove
    ? button(remove, { key: `delete ${id}`, className: "delete", label: `${remove.title}: ${title}`, content: [] })
    : "";
  return make("li", {}, main, trailing);
}

function tab({ title, badge, selected, action }, index) {
  const content = [make("span", {}, title)];
  if (badge !== null) content.push(make("span", { className: "badge" }, String(badge)));
  const item = button(action, { key: `tab ${index}`, content });
  if (selected) item.setAttribute("aria-current", "page");
  return item;
}

/** A button that sends `action` when it is pressed. */
function button(action, { key, className = "", label, content }) {
  const element = make("button", { type: "button", className }, ...(content ?? [action.title]));
  element.dataset.key = key;
  if (label) {
    element.ariaLabel = label;
    element.title = label;
  }
  element.addEventListener("click", () => perform(action));
  return element;
}

// The panel

function showState() {
  document.title = `${route.path} · Coordinate`;
  $("path").replaceChildren(...breakable(route.path));
  $("leaf").replaceChildren(...breakable(route.leaf));
  $("version").textContent = route.version;
  $("session").textContent = route.session;
  $("json").textContent = JSON.stringify(route, null, 2);
  $("breadcrumbs").replaceChildren(...route.breadcrumbs.map(({ title, path }, index, all) => {
    if (index === all.length - 1) {
      return make("li", {}, make("span", { ariaCurrent: "page" }, title));
    }
    const link = make("button", { type: "button", title: path }, title);
    link.addEventListener("click", () => turn("PUT", "/route", { path }));
    return make("li", {}, link);
  }));
}

function showEvent({ event, handled, handledBy, trace, version }, body) {
  const verdict = handled
    ? make("p", { className: "verdict" }, "Handled by ", make("strong", {}, shortName(handledBy)))
    : make("p", { className: "verdict unhandled" }, "Nobody handled it");
  const steps = trace.map(({ coordinator, intercepted }) => make(
    "li", { className: intercepted ? "intercepted" : "" },
    make("span", { className: "name" }, shortName(coordinator)),
    make("span", { className: "subtitle" }, intercepted ? "intercepted it" : "let it pass"),
  ));
  $("event").replaceChildren(
    make("p", { className: "event" }, event, " ", make("span", { className: "payload" }, payloadOf(body))),
    verdict,
    make("ol", { className: "trace", ariaLabel: `Coordinators visited by event ${version}, leaf first` }, ...steps),
  );
}

function payloadOf({ payload, path }) {
  const sent = path === undefined ? payload : { path };
  return sent && Object.keys(sent).length > 0 ? JSON.stringify(sent) : "";
}

function showCurl(method, path, body) {
  const address = `${location.origin}/sessions/${route.session}${path}`;
  const options = [];
  if (method === "PUT") options.push("-X PUT");
  if (body) options.push(`--json ${shellQuoted(JSON.stringify(body))}`);
  const parts = [["curl", ...options].join(" "), address];
  $("curl").textContent = parts.join(options.length > 0 ? " \\\n  " : " ");
}

function showProblem({ title, detail, type }, otherwise) {
  $("problem-title").textContent = title ?? otherwise;
  $("problem-detail").textContent = detail ?? "";
  $("problem-new").hidden = type !== "/problems/session-not-found";
  $("problem").hidden = false;
}

function setBusy(value) {
  busy = value;
  $("phone").ariaBusy = String(value);
}

// Small things

/** An element with properties and children; strings become text, never markup. */
function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== ""));
  return element;
}

/** Text that may be broken before each slash. */
function breakable(text) {
  return text.split(/(?=\/)/).flatMap((part, index) => (index ? [make("wbr", {}), part] : [part]));
}

/** The last identifier of a coordinator id. */
function shortName(coordinator) {
  return coordinator.split("/").at(-1);
}

function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function restartAnimation(element) {
  for (const animation of element.getAnimations()) {
    animation.cancel();
    animation.play();
  }
}

$("reload").addEventListener("click", load);
$("new-session").addEventListener("click", startSession);
$("problem-new").addEventListener("click", startSession);
$("problem-close").addEventListener("click", () => { $("problem").hidden = true; });
if (navigator.clipboard) {
  $("copy").hidden = false;
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("curl").textContent);
    $("status").textContent = "Copied.";
  });
}

load();
