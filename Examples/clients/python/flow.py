# The flow with the client that OpenAPI Generator writes (`python`) for the Shop.
import json

from openapi_client import (
    AccountLogIn, AddressSubmit, ApiClient, ApiException, CartOfferDidExpire, CartPut, CatalogueDidSelect,
    CheckoutPlaceOrder, Configuration, Event, Fork, Link, NavigationApi, NewSession, SessionsApi,
)


def flow(url):
    client = ApiClient(Configuration(host=url))
    sessions, navigation = SessionsApi(client), NavigationApi(client)

    # Begin a session with one of the app's options, and wait until its prices are loaded.
    id = sessions.post_session(new_session=NewSession(path="/catalogue", options={"locale": "de"})).id
    settled = lambda: navigation.get_session_route(id, until="settled", prefer="wait=30")
    print("loaded:", settled().screen.title)

    # Each event has a type. Pydantic checks its payload.
    send = lambda event: navigation.post_session_event(id, Event(event))
    send(CatalogueDidSelect(event="catalogue.didSelect", payload={"product": "lamp"}))
    route = send(CartPut(event="cart.put", payload={"product": "lamp", "count": 2})).route
    print("in the cart:", route.navigation.tabs[1].badge)
    try:
        send(CartOfferDidExpire(event="cart.offerDidExpire"))
    except ApiException as error:
        print("refused:", error.status, error.data.actual_instance.type)

    # A link that needs a login, which is work.
    navigation.put_session_route(id, Link(path="/checkout"))
    send(AccountLogIn(event="account.logIn", payload={"user": "anna", "password": "open sesame"}))
    print("logged in:", settled().path)

    # A form is an action with inputs. The app itself refuses what does not fit.
    address = {"name": "Anna Berg", "street": "Seeweg 3", "country": "ch"}
    wrong = send(AddressSubmit(event="address.submit", payload={**address, "zip": "80"}))
    print("wrong:", next(input.var_field for input in wrong.route.screen.actions[0].inputs if input.error))
    delivery = send(AddressSubmit(event="address.submit", payload={**address, "zip": "8001"}))

    # An action is an event as it is.
    navigation.post_session_event(id, Event.from_dict(delivery.route.screen.actions[0].to_dict()))
    send(CheckoutPlaceOrder(event="checkout.placeOrder"))
    print("ordered:", settled().screen.name)

    # Fork the session as it was at version 3, and export the journal.
    fork = sessions.post_fork(id, Fork(version=3))
    print("forked:", fork.path, fork.parent.version)
    journal = navigation.get_session_events_without_preload_content(id, _headers={"Accept": "application/x-ndjson"})
    lines = journal.data.decode().splitlines()
    print("exported:", json.loads(lines[0])["app"], len(lines) - 1)
