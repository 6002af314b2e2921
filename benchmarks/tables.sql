-- A food-delivery star: days, places and people around what happens to an order.

-- days
day_id INT, date DATE, weekday INT, week INT, month INT, quarter INT, year INT, holiday STRING, is_weekend BOOLEAN

-- cities
city_id INT, city STRING, region STRING, country STRING, population BIGINT, timezone STRING

-- customers
customer_id INT, city_id INT, name STRING, email STRING, birth_year INT, segment STRING, joined_day INT,
referred_by INT, credit DECIMAL(10, 2)

-- restaurants
restaurant_id INT, city_id INT, name STRING, cuisine STRING, stars DOUBLE, opened_day INT, chain STRING,
commission DECIMAL(4, 3)

-- dishes
dish_id INT, restaurant_id INT, dish STRING, category STRING, price DECIMAL(8, 2), cost DECIMAL(8, 2),
is_vegan BOOLEAN, kcal INT

-- couriers
courier_id INT, city_id INT, name STRING, vehicle STRING, hired_day INT, wage DECIMAL(8, 2), manager_id INT

-- promotions
promotion_id INT, title STRING, channel STRING, discount DECIMAL(4, 3), starts_day INT, ends_day INT,
budget DECIMAL(12, 2)

-- orders
order_id BIGINT, customer_id INT, restaurant_id INT, day_id INT, promotion_id INT, placed_at TIMESTAMP, status STRING,
channel STRING, subtotal DECIMAL(10, 2), fee DECIMAL(8, 2), tip DECIMAL(8, 2), tax DECIMAL(8, 2)

-- order_items
order_id BIGINT, line INT, dish_id INT, quantity INT, unit_price DECIMAL(8, 2), discount DECIMAL(8, 2), note STRING

-- deliveries
delivery_id BIGINT, order_id BIGINT, courier_id INT, day_id INT, picked_at TIMESTAMP, dropped_at TIMESTAMP,
distance DOUBLE, status STRING, bonus DECIMAL(8, 2)

-- payments
payment_id BIGINT, order_id BIGINT, method STRING, amount DECIMAL(10, 2), paid_at TIMESTAMP, card STRING,
refunded BOOLEAN

-- refunds
refund_id BIGINT, order_id BIGINT, day_id INT, reason STRING, amount DECIMAL(10, 2), approved BOOLEAN

-- reviews
review_id BIGINT, order_id BIGINT, customer_id INT, restaurant_id INT, day_id INT, stars INT, body STRING

-- visits
visit_id BIGINT, customer_id INT, day_id INT, started_at TIMESTAMP, seconds INT, pages INT, source STRING,
order_id BIGINT
