// The flow with the client that OpenAPI Generator writes (`typescript-fetch`).
import { Configuration, NavigationApi, ResponseError, SessionsApi } from "./client";

export async function flow(url: string): Promise<void> {
  const configuration = new Configuration({ basePath: url });
  const [sessions, navigation] = [new SessionsApi(configuration), new NavigationApi(configuration)];

  // Open a session at a screen, and press its first button. An action is an event as it is.
  const { id } = await sessions.postSession({ newSession: { path: "/main/profile", options: { liveResults: true } } });
  const { screen } = await navigation.getSessionRoute({ id });
  const pressed = await navigation.postSessionEvent({ id, event: screen.actions[0] });
  console.log("pressed:", screen.actions[0].title, pressed.path);

  // A form is an action with inputs. What the user types replaces the values in its payload.
  const form = pressed.route!.screen.actions.find(({ inputs }) => inputs)!;
  const named = (name: string) => navigation.postSessionEvent({ id, event: { ...form, payload: { name } } });
  const refused: unknown = await named("").catch((error) => error);
  if (!(refused instanceof ResponseError)) throw refused;
  console.log("refused:", refused.response.status, (await refused.response.json()).pointer);
  console.log("renamed:", (await named("Ada")).route!.screen.title);

  // Follow a link that starts work, and wait until nothing is pending.
  await navigation.putSessionRoute({ id, link: { path: "/main/drivers/driver/leclerc" } });
  const settled = await navigation.getSessionRoute({ id, until: "settled", prefer: "wait=30" });
  console.log("settled:", settled.path, settled.screen.status, settled.pending.length);

  // Fork the session as it was at version 3, and export the journal.
  const fork = await sessions.postFork({ id, fork: { version: 3 } });
  console.log("forked:", fork.path, fork.parent?.version);
  const journal = await navigation.getSessionEventsRaw({ id }, { headers: { Accept: "application/x-ndjson" } });
  const lines = (await journal.raw.text()).trimEnd().split("\n");
  console.log("exported:", JSON.parse(lines[0]).app, lines.length - 1);
}
