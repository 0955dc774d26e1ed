// The flow with the client that OpenAPI Generator writes (`typescript-fetch`) for the Shop.
import { Configuration, Event, NavigationApi, ResponseError, SessionsApi } from "./client";

export async function flow(url: string): Promise<void> {
  const configuration = new Configuration({ basePath: url });
  const [sessions, navigation] = [new SessionsApi(configuration), new NavigationApi(configuration)];

  // Begin a session with one of the app's options, and wait until its prices are loaded.
  const { id } = await sessions.postSession({ newSession: { path: "/catalogue", options: { locale: "de" } } });
  const settled = () => navigation.getSessionRoute({ id, until: "settled", prefer: "wait=30" });
  console.log("loaded:", (await settled()).screen.title);

  // Each event has a type, by its name.
  const send = (event: Event) => navigation.postSessionEvent({ id, event });
  await send({ event: "catalogue.didSelect", payload: { product: "lamp" } });
  const { route } = await send({ event: "cart.put", payload: { product: "lamp", count: 2 } });
  console.log("in the cart:", route!.navigation.tabs[1].badge);
  const refused: unknown = await send({ event: "cart.offerDidExpire" }).catch((error) => error);
  if (!(refused instanceof ResponseError)) throw refused;
  console.log("refused:", refused.response.status, (await refused.response.json()).type);

  // A link that needs a login, which is work.
  await navigation.putSessionRoute({ id, link: { path: "/checkout" } });
  await send({ event: "account.logIn", payload: { user: "anna", password: "open sesame" } });
  console.log("logged in:", (await settled()).path);

  // A form is an action with inputs. The app itself refuses what does not fit.
  const address = { name: "Anna Berg", street: "Seeweg 3", country: "ch" } as const;
  const wrong = await send({ event: "address.submit", payload: { ...address, zip: "80" } });
  console.log("wrong:", wrong.route!.screen.actions[0].inputs!.filter(({ error }) => error).map(({ field }) => field)[0]);
  const delivery = await send({ event: "address.submit", payload: { ...address, zip: "8001" } });

  // An action is an event as it is.
  await send(delivery.route!.screen.actions[0] as Event);
  await send({ event: "checkout.placeOrder" });
  console.log("ordered:", (await settled()).screen.name);

  // Fork the session as it was at version 3, and export the journal.
  const fork = await sessions.postFork({ id, fork: { version: 3 } });
  console.log("forked:", fork.path, fork.parent?.version);
  const journal = await navigation.getSessionEventsRaw({ id }, { headers: { Accept: "application/x-ndjson" } });
  const lines = (await journal.raw.text()).trimEnd().split("\n");
  console.log("exported:", JSON.parse(lines[0]).app, lines.length - 1);
}
