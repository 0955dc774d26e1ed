# The flow with the client that openapi-python-client writes for the Shop.
import json

from shop_client import Client
from shop_client.api.navigation import get_session_route, post_session_event, put_session_route
from shop_client.api.sessions import post_fork, post_session
from shop_client.models import (
    AccountLogIn, AccountLogInPayload, AddressSubmit, AddressSubmitPayload, CartOfferDidExpire, CartPut, CartPutPayload,
    CatalogueDidSelect, CatalogueDidSelectPayload, CheckoutDeliver, CheckoutPlaceOrder, Country, Fork,
    GetSessionRouteUntil, Language, Link, NewSession, Options, Product,
)


def flow(url):
    with Client(base_url=url) as client:
        # Begin a session with one of the app's options, and wait until its prices are loaded.
        body = NewSession(path="/catalogue", options=Options(locale=Language.DE))
        id = post_session.sync(client=client, body=body).id
        settled = lambda: get_session_route.sync(
            id, client=client, until=GetSessionRouteUntil.SETTLED, prefer="wait=30")
        print("loaded:", settled().screen.title)

        # Each event has a type.
        send = lambda event: post_session_event.sync(id, client=client, body=event)
        send(CatalogueDidSelect(event="catalogue.didSelect", payload=CatalogueDidSelectPayload(product=Product.LAMP)))
        route = send(CartPut(event="cart.put", payload=CartPutPayload(product=Product.LAMP, count=2))).route
        print("in the cart:", route.navigation.tabs[1].badge)
        expired = CartOfferDidExpire(event="cart.offerDidExpire")
        refused = post_session_event.sync_detailed(id, client=client, body=expired)
        print("refused:", refused.status_code.value, refused.parsed.type_)

        # A link that needs a login, which is work.
        put_session_route.sync(id, client=client, body=Link(path="/checkout"))
        send(AccountLogIn(event="account.logIn", payload=AccountLogInPayload(user="anna", password="open sesame")))
        print("logged in:", settled().path)

        # A form is an action with inputs. The app itself refuses what does not fit.
        address = AddressSubmitPayload(name="Anna Berg", street="Seeweg 3", zip_="80", country=Country.CH)
        wrong = send(AddressSubmit(event="address.submit", payload=address))
        print("wrong:", next(input.field for input in wrong.route.screen.actions[0].inputs if input.error))
        address.zip_ = "8001"
        delivery = send(AddressSubmit(event="address.submit", payload=address))

        # An action is an event as it is.
        send(CheckoutDeliver.from_dict(delivery.route.screen.actions[0].to_dict()))
        send(CheckoutPlaceOrder(event="checkout.placeOrder"))
        print("ordered:", settled().screen.name)

        # Fork the session as it was at version 3, and export the journal.
        fork = post_fork.sync(id, client=client, body=Fork(version=3))
        print("forked:", fork.path, fork.parent.version)
        http = client.get_httpx_client()
        lines = http.get(f"/sessions/{id}/events", headers={"Accept": "application/x-ndjson"}).text.splitlines()
        print("exported:", json.loads(lines[0])["app"], len(lines) - 1)
