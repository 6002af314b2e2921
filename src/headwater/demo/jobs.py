"""The warehouse's jobs, in the order in which they run every day. Nothing here knows of Headwater.

On the third day two of them have been changed: `customers` hashes the e-mail address, and `top_delivery_times`
measures from the dispatch on, to the tenth of a minute.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Day:
    """What a job is given: the session, where the files are, which day it is, and whether it is the third."""

    spark: SparkSession
    folder: Path
    date: date
    changed: bool

    def landing_csv(self, name: str) -> DataFrame:
        """What a source delivered, all of it text."""
        return self.spark.read.option("header", "true").csv(str(self.folder / "landing" / name))

    def landing_json(self, name: str, schema: str) -> DataFrame:
        """What a source delivered, in its own types."""
        return self.spark.read.schema(schema).json(str(self.folder / "landing" / name))

    def table(self, name: str) -> DataFrame:
        """A table of the warehouse."""
        return self.spark.read.parquet(str(self.folder / "warehouse" / name))

    def sql(self, query: str, **tables: DataFrame) -> DataFrame:
        """A query over tables under the names that it uses."""
        for name, table in tables.items():
            table.createOrReplaceTempView(name)
        return self.spark.sql(query)

    def write(self, name: str, table: DataFrame) -> None:
        """Write a table of the warehouse anew."""
        table.coalesce(1).write.mode("overwrite").parquet(str(self.folder / "warehouse" / name))


def orders(day: Day) -> None:
    """The orders in their types; the guest's comment is not kept."""
    day.write(
        "orders",
        day.sql(
            """
            SELECT CAST(id AS BIGINT) AS id, CAST(placed_on AS TIMESTAMP) AS placed_on,
                   CAST(customer_id AS INT) AS customer_id, CAST(menu_id AS INT) AS menu_id,
                   CAST(quantity AS INT) AS quantity, COALESCE(CAST(discount AS DOUBLE), 0.0) AS discount
            FROM delivered_orders
            """,
            delivered_orders=day.landing_csv("orders"),
        ),
    )


def customers(day: Day) -> None:
    """The customers; since the third day without a readable e-mail address."""
    email = "sha2(lower(email), 256)" if day.changed else "lower(email)"
    day.write(
        "customers",
        day.sql(
            f"SELECT CAST(id AS INT) AS id, name, {email} AS email, city FROM delivered_customers",  # noqa: S608
            delivered_customers=day.landing_csv("customers"),
        ),
    )


def menus(day: Day) -> None:
    """Every dish with its restaurant."""
    dishes = day.landing_json("menus", "id INT, restaurant_id INT, item STRING, price DOUBLE")
    restaurants = day.landing_csv("restaurants").selectExpr("CAST(id AS INT) AS restaurant_id", "name AS restaurant")
    day.write("menus", dishes.join(restaurants, "restaurant_id").select("id", "restaurant", "item", "price"))


def order_status(day: Day) -> None:
    """One row an order: when it was dispatched, and when it arrived."""
    day.write(
        "order_status",
        day.sql(
            """
            SELECT order_id,
                   MAX(CASE WHEN status = 'DISPATCHED' THEN transitioned_at END) AS dispatched_on,
                   MAX(CASE WHEN status = 'DELIVERED' THEN transitioned_at END) AS delivered_on
            FROM delivered_states
            GROUP BY order_id
            """,
            delivered_states=day.landing_json(
                "order_status", "order_id BIGINT, status STRING, transitioned_at TIMESTAMP"
            ),
        ),
    )


def orders_7_days(day: Day) -> None:
    """The last week's orders with what was ordered and what it cost."""
    day.write(
        "orders_7_days",
        day.sql(
            f"""
            SELECT o.id AS order_id, o.placed_on, o.customer_id, m.restaurant, m.item,
                   ROUND(o.quantity * m.price * (1 - o.discount), 2) AS amount
            FROM orders o JOIN menus m ON o.menu_id = m.id
            WHERE o.placed_on >= DATE '{day.date}' - INTERVAL 7 DAYS
            """,  # noqa: S608 (the day is ours)
            orders=day.table("orders"),
            menus=day.table("menus"),
        ),
    )


def delivery_7_days(day: Day) -> None:
    """The last week's deliveries."""
    day.write(
        "delivery_7_days",
        day.sql(
            """
            SELECT o.order_id, o.placed_on AS order_placed_on, s.dispatched_on AS order_dispatched_on,
                   s.delivered_on AS order_delivered_on, c.email AS customer_email, c.city, o.restaurant, o.amount
            FROM orders_7_days o
            JOIN order_status s ON s.order_id = o.order_id
            JOIN customers c ON c.id = o.customer_id
            """,
            orders_7_days=day.table("orders_7_days"),
            order_status=day.table("order_status"),
            customers=day.table("customers"),
        ),
    )


def top_delivery_times(day: Day) -> None:
    """The slowest deliveries; since the third day from their dispatch on, and to the tenth of a minute."""
    seconds = "TIMESTAMPDIFF(SECOND, order_dispatched_on, order_delivered_on)"
    minutes = (
        f"ROUND({seconds} / 60, 1)" if day.changed else "TIMESTAMPDIFF(MINUTE, order_placed_on, order_delivered_on)"
    )
    day.write(
        "top_delivery_times",
        day.sql(
            f"""
            SELECT order_id, order_placed_on, order_delivered_on, {minutes} AS order_delivery_time
            FROM delivery_7_days
            ORDER BY order_delivery_time DESC
            LIMIT 10
            """,  # noqa: S608 (both expressions are ours)
            delivery_7_days=day.table("delivery_7_days"),
        ),
    )


def revenue_by_city(day: Day) -> None:
    """What each city brings in, and how many guests it has."""
    day.write(
        "revenue_by_city",
        day.sql(
            """
            SELECT city, SUM(amount) AS revenue, COUNT(DISTINCT customer_email) AS guests
            FROM delivery_7_days
            GROUP BY city
            """,
            delivery_7_days=day.table("delivery_7_days"),
        ),
    )


def newsletter(day: Day) -> None:
    """Whom to write to. It takes the addresses straight from the source: nobody told it that they are to be hashed."""
    day.write(
        "newsletter",
        day.sql(
            """
            SELECT name, email AS send_to, substring_index(email, '@', -1) AS mail_host
            FROM delivered_customers
            """,
            delivered_customers=day.landing_csv("customers"),
        ),
    )


JOBS: tuple[Callable[[Day], None], ...] = (
    orders,
    customers,
    menus,
    order_status,
    orders_7_days,
    delivery_7_days,
    top_delivery_times,
    revenue_by_city,
    newsletter,
)
