"""The names in a simulated warehouse."""

from typing import NamedTuple


class Word(NamedTuple):
    """A column; personal ones are hashed when they leave the raw layer."""

    name: str
    type: str
    personal: bool = False


SUBJECTS = (
    *("orders", "customers", "payments", "shipments", "inventory", "sessions", "clicks", "campaigns", "invoices"),
    *("refunds", "employees", "suppliers", "products", "stores", "baskets", "tickets", "subscriptions", "devices"),
    *("returns", "prices", "contracts", "visits", "reviews", "budgets", "stock_moves", "deliveries", "leads"),
)
TEAMS = ("finance", "logistics", "growth", "platform", "risk", "sales", "support")
_PERSONAL = frozenset({"email", "phone", "birthday"})
_COLUMNS = (
    "id bigint, customer_id bigint, email string, created_at timestamp, amount decimal(18,2), currency string, "
    "status string, country string, quantity int, updated_at timestamp, product_id bigint, "
    "unit_price decimal(18,2), discount double, phone string, channel string, tax decimal(18,2), store_id bigint, "
    "city string, postcode string, weight_kg double, is_test boolean, source_system string, campaign_id bigint, "
    "visits bigint, first_seen date, last_seen date, score double, segment string, birthday date, "
    "margin decimal(18,2), cost decimal(18,2), net_amount decimal(18,2), category string, brand string, "
    "supplier_id bigint, due_date date, paid_at timestamp, retries int, device string, browser string, "
    "region string, language string, rating int, comment string"
)
COLUMNS = tuple(
    Word(name, kind, name in _PERSONAL) for name, kind in (column.split() for column in _COLUMNS.split(", "))
)
STRUCTS = (
    ("address", ("street", "city", "postcode")),
    ("geo", ("latitude", "longitude", "accuracy")),
    ("device_info", ("model", "os", "version")),
)
LAYERS = ("raw", "staging", "core", "mart", "dashboard")


def layer_name(layer: int, layers: int) -> str:
    """The name of a layer; where there are more layers than names, the middle ones are numbered cores.

    >>> [layer_name(number, 3) for number in range(3)], [layer_name(number, 7) for number in range(2, 6)]
    (['raw', 'staging', 'dashboard'], ['core1', 'core2', 'core3', 'mart'])
    """
    more = layers - len(LAYERS)
    if layer == layers - 1:
        return LAYERS[-1]
    if more <= 0 or layer <= 1:
        return LAYERS[layer]
    return LAYERS[-2] if layer == layers - 2 else f"core{layer - 1}"
