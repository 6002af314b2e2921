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
COLUMNS = (
    Word("id", "bigint"),
    Word("customer_id", "bigint"),
    Word("email", "string", personal=True),
    Word("created_at", "timestamp"),
    Word("amount", "decimal(18,2)"),
    Word("currency", "string"),
    Word("status", "string"),
    Word("country", "string"),
    Word("quantity", "int"),
    Word("updated_at", "timestamp"),
    Word("product_id", "bigint"),
    Word("unit_price", "decimal(18,2)"),
    Word("discount", "double"),
    Word("phone", "string", personal=True),
    Word("channel", "string"),
    Word("tax", "decimal(18,2)"),
    Word("store_id", "bigint"),
    Word("city", "string"),
    Word("postcode", "string"),
    Word("weight_kg", "double"),
    Word("is_test", "boolean"),
    Word("source_system", "string"),
    Word("campaign_id", "bigint"),
    Word("visits", "bigint"),
    Word("first_seen", "date"),
    Word("last_seen", "date"),
    Word("score", "double"),
    Word("segment", "string"),
    Word("birthday", "date", personal=True),
    Word("margin", "decimal(18,2)"),
    Word("cost", "decimal(18,2)"),
    Word("net_amount", "decimal(18,2)"),
    Word("category", "string"),
    Word("brand", "string"),
    Word("supplier_id", "bigint"),
    Word("due_date", "date"),
    Word("paid_at", "timestamp"),
    Word("retries", "int"),
    Word("device", "string"),
    Word("browser", "string"),
    Word("region", "string"),
    Word("language", "string"),
    Word("rating", "int"),
    Word("comment", "string"),
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
