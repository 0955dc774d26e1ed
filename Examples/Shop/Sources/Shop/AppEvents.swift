import Coordinate
import CoordinateMacros

/// The events of the shop.
enum AppEvents {
    @Events("catalogue")
    enum Catalogue: CoordinateEvents {
        case search(_ query: String)
        case didSelect(_ product: Product)
        case reload
        @AppOnly case pricesDidLoad(_ prices: [Price])
        @AppOnly case pricesDidFail(_ failure: WorkFailure)
    }

    @Events("cart")
    enum Cart: CoordinateEvents {
        case put(_ product: Product, count: Int)
        case checkOut
        @AppOnly case offerDidExpire
    }

    @Events("address")
    enum AddressForm: CoordinateEvents {
        case submit(name: String, street: String, zip: String, country: Country)

        var address: Address {
            switch self {
            case .submit(let name, let street, let zip, let country):
                Address(name: name, street: street, zip: zip, country: country)
            }
        }
    }

    @Events("checkout")
    enum Checkout: CoordinateEvents {
        case select(_ delivery: Delivery)
        case deliver
        case placeOrder
        @AppOnly case didPlace(_ order: Order)
        @AppOnly case didSellOut(_ product: Product)
        @AppOnly case didFail(_ failure: WorkFailure)
    }

    @Events("orders")
    enum Orders: CoordinateEvents {
        case didSelect(_ number: Int)
        case cancel
        @AppOnly case didCancel(_ number: Int)
        @AppOnly case didNotCancel(_ number: Int)
    }

    @Events("account")
    enum Account: CoordinateEvents {
        case logIn(_ user: String, _ password: Secret)
        case edit
        case logOut
        @AppOnly case didLogIn(_ customer: Customer)
        @AppOnly case didRefuse
        @AppOnly case didFail(_ failure: WorkFailure)
    }
}
