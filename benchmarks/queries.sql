-- Questions that a food-delivery company asks its warehouse. Each is run as CREATE TABLE name AS the query below it.

-- revenue_by_city
SELECT c.country, c.region, c.city, d.year, d.quarter,
       SUM(o.subtotal + o.fee) AS revenue, SUM(o.tip) AS tips, COUNT(DISTINCT o.customer_id) AS guests
FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id
JOIN cities c ON r.city_id = c.city_id JOIN days d ON o.day_id = d.day_id
WHERE o.status = 'done' AND d.year BETWEEN 2022 AND 2025
GROUP BY c.country, c.region, c.city, d.year, d.quarter
ORDER BY revenue DESC LIMIT 200

-- revenue_rollup
SELECT COALESCE(c.country, 'all') AS country, c.region, c.city, GROUPING_ID() AS level,
       SUM(o.subtotal) AS subtotal, AVG(o.fee) AS mean_fee,
       RANK() OVER (PARTITION BY GROUPING_ID() ORDER BY SUM(o.subtotal) DESC) AS place
FROM orders o JOIN customers k ON o.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
GROUP BY ROLLUP (c.country, c.region, c.city)

-- dish_margins
SELECT r.cuisine, i.category, i.dish, SUM(l.quantity) AS sold,
       SUM(l.quantity * (l.unit_price - i.cost) - l.discount) AS margin,
       SUM(l.quantity * (l.unit_price - i.cost)) / NULLIF(SUM(l.quantity * l.unit_price), 0) AS margin_share
FROM order_items l JOIN dishes i ON l.dish_id = i.dish_id
JOIN restaurants r ON i.restaurant_id = r.restaurant_id JOIN orders o ON l.order_id = o.order_id
WHERE o.status <> 'cancelled' GROUP BY r.cuisine, i.category, i.dish HAVING SUM(l.quantity) > 10

-- first_orders
WITH numbered AS (
  SELECT o.*, ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at) AS nth FROM orders o
), firsts AS (SELECT * FROM numbered WHERE nth = 1)
SELECT k.segment, d.year, d.month, COUNT(*) AS new_guests, AVG(f.subtotal) AS mean_basket,
       MIN(DATEDIFF(d.date, j.date)) AS fastest_days
FROM firsts f JOIN customers k ON f.customer_id = k.customer_id
JOIN days d ON f.day_id = d.day_id JOIN days j ON k.joined_day = j.day_id
GROUP BY k.segment, d.year, d.month

-- returning_share
WITH monthly AS (
  SELECT DISTINCT o.customer_id, d.year * 12 + d.month AS period FROM orders o JOIN days d ON o.day_id = d.day_id
)
SELECT m.period, COUNT(*) AS guests, COUNT(n.customer_id) AS came_back,
       COUNT(n.customer_id) / COUNT(*) AS share
FROM monthly m LEFT JOIN monthly n ON m.customer_id = n.customer_id AND n.period = m.period + 1
GROUP BY m.period ORDER BY m.period

-- late_deliveries
SELECT u.courier_id, u.name, c.city, u.vehicle,
       COUNT(*) AS trips,
       SUM(CASE WHEN v.dropped_at > o.placed_at + INTERVAL 60 MINUTES THEN 1 ELSE 0 END) AS late,
       AVG(TIMESTAMPDIFF(MINUTE, v.picked_at, v.dropped_at)) AS minutes,
       PERCENTILE_APPROX(v.distance, 0.9) AS far
FROM deliveries v JOIN orders o ON v.order_id = o.order_id
JOIN couriers u ON v.courier_id = u.courier_id JOIN cities c ON u.city_id = c.city_id
GROUP BY u.courier_id, u.name, c.city, u.vehicle HAVING COUNT(*) > 20

-- courier_ranking
SELECT * FROM (
  SELECT c.region, u.name AS courier, SUM(v.distance) AS km, SUM(v.bonus) AS bonus,
         DENSE_RANK() OVER (PARTITION BY c.region ORDER BY SUM(v.distance) DESC) AS place,
         SUM(v.distance) / SUM(SUM(v.distance)) OVER (PARTITION BY c.region) AS share
  FROM deliveries v JOIN couriers u ON v.courier_id = u.courier_id JOIN cities c ON u.city_id = c.city_id
  GROUP BY c.region, u.name
) ranked WHERE place <= 5

-- refund_rates
SELECT r.chain, r.cuisine, f.reason, COUNT(DISTINCT f.order_id) AS refunded, COUNT(DISTINCT o.order_id) AS orders,
       SUM(IF(f.approved, f.amount, 0)) AS paid_back, SUM(f.amount) / SUM(o.subtotal) AS share
FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id
LEFT JOIN refunds f ON f.order_id = o.order_id
GROUP BY CUBE (r.chain, r.cuisine, f.reason)

-- promotions_worth
WITH used AS (
  SELECT p.promotion_id, p.title, p.channel, p.budget, SUM(o.subtotal * p.discount) AS given, COUNT(*) AS orders
  FROM promotions p JOIN orders o ON o.promotion_id = p.promotion_id AND o.day_id BETWEEN p.starts_day AND p.ends_day
  GROUP BY p.promotion_id, p.title, p.channel, p.budget
), without AS (SELECT AVG(subtotal) AS usual FROM orders WHERE promotion_id IS NULL)
SELECT u.title, u.channel, u.given, u.orders, u.given / u.budget AS spent, u.given / u.orders - w.usual AS compared
FROM used u CROSS JOIN without w WHERE u.given > 0

-- channels_side_by_side
SELECT d.year, d.month, 'app' AS channel, SUM(o.subtotal) AS subtotal, COUNT(*) AS orders
FROM orders o JOIN days d ON o.day_id = d.day_id WHERE o.channel = 'app' GROUP BY d.year, d.month
UNION ALL
SELECT d.year, d.month, 'web', SUM(o.subtotal + o.fee), COUNT(*)
FROM orders o JOIN days d ON o.day_id = d.day_id WHERE o.channel = 'web' GROUP BY d.year, d.month
UNION ALL
SELECT d.year, d.month, 'refund', -SUM(f.amount), COUNT(*)
FROM refunds f JOIN days d ON f.day_id = d.day_id WHERE f.approved GROUP BY d.year, d.month

-- basket_pairs
SELECT a.dish AS one, b.dish AS other, r.cuisine, COUNT(*) AS together, AVG(x.unit_price + y.unit_price) AS price
FROM order_items x JOIN order_items y ON x.order_id = y.order_id AND x.dish_id < y.dish_id
JOIN dishes a ON x.dish_id = a.dish_id JOIN dishes b ON y.dish_id = b.dish_id
JOIN restaurants r ON a.restaurant_id = r.restaurant_id
GROUP BY a.dish, b.dish, r.cuisine HAVING COUNT(*) >= 25 ORDER BY together DESC LIMIT 100

-- above_their_city
SELECT k.customer_id, k.name, c.city, SUM(o.subtotal) AS spent
FROM customers k JOIN cities c ON k.city_id = c.city_id JOIN orders o ON o.customer_id = k.customer_id
GROUP BY k.customer_id, k.name, c.city, c.city_id
HAVING SUM(o.subtotal) > (
  SELECT 1.5 * AVG(p.subtotal) FROM orders p JOIN customers q ON p.customer_id = q.customer_id
)

-- cheaper_elsewhere
SELECT i.dish, r.name AS restaurant, i.price,
       (SELECT MIN(j.price) FROM dishes j WHERE j.dish = i.dish AND j.restaurant_id <> i.restaurant_id) AS elsewhere
FROM dishes i JOIN restaurants r ON i.restaurant_id = r.restaurant_id JOIN cities c ON r.city_id = c.city_id
WHERE c.population > 100000
  AND EXISTS (SELECT 1 FROM dishes j WHERE j.dish = i.dish AND j.price < i.price)

-- silent_customers
SELECT k.segment, c.country, COUNT(*) AS silent, SUM(k.credit) AS credit
FROM customers k JOIN cities c ON k.city_id = c.city_id
WHERE NOT EXISTS (
  SELECT 1 FROM orders o JOIN days d ON o.day_id = d.day_id WHERE o.customer_id = k.customer_id AND d.year = 2025
) AND k.customer_id IN (SELECT customer_id FROM visits WHERE pages > 3)
GROUP BY k.segment, c.country

-- moving_week
SELECT c.city, d.date, SUM(o.subtotal) AS today,
       AVG(SUM(o.subtotal)) OVER (PARTITION BY c.city ORDER BY d.date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week,
       LAG(SUM(o.subtotal), 7) OVER (PARTITION BY c.city ORDER BY d.date) AS week_ago
FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id
JOIN cities c ON r.city_id = c.city_id JOIN days d ON o.day_id = d.day_id
GROUP BY c.city, d.date

-- running_total
SELECT r.restaurant_id, r.name, d.year, d.month, SUM(o.subtotal) AS month_total,
       SUM(SUM(o.subtotal)) OVER (PARTITION BY r.restaurant_id, d.year ORDER BY d.month) AS so_far,
       FIRST_VALUE(SUM(o.subtotal)) OVER (PARTITION BY r.restaurant_id ORDER BY d.year, d.month) AS at_first
FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
GROUP BY r.restaurant_id, r.name, d.year, d.month

-- payment_mix
SELECT * FROM (
  SELECT c.country, d.year, p.method, p.amount
  FROM payments p JOIN orders o ON p.order_id = o.order_id
  JOIN customers k ON o.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
  JOIN days d ON o.day_id = d.day_id WHERE NOT p.refunded
) PIVOT (SUM(amount) AS paid, COUNT(*) AS times FOR method IN ('card', 'cash', 'wallet'))

-- weekday_profile
SELECT r.cuisine,
       SUM(CASE WHEN d.weekday = 1 THEN o.subtotal END) AS monday,
       SUM(CASE WHEN d.weekday = 2 THEN o.subtotal END) AS tuesday,
       SUM(CASE WHEN d.weekday = 3 THEN o.subtotal END) AS wednesday,
       SUM(CASE WHEN d.weekday = 4 THEN o.subtotal END) AS thursday,
       SUM(CASE WHEN d.weekday = 5 THEN o.subtotal END) AS friday,
       SUM(CASE WHEN d.is_weekend THEN o.subtotal ELSE 0 END) AS weekend,
       SUM(CASE WHEN d.holiday IS NOT NULL THEN o.subtotal ELSE 0 END) AS holidays
FROM orders o JOIN days d ON o.day_id = d.day_id JOIN restaurants r ON o.restaurant_id = r.restaurant_id
GROUP BY r.cuisine

-- stars_and_sales
WITH rated AS (
  SELECT restaurant_id, AVG(stars) AS said, COUNT(*) AS reviews FROM reviews GROUP BY restaurant_id
), sold AS (
  SELECT restaurant_id, SUM(subtotal) AS sales, COUNT(*) AS orders FROM orders GROUP BY restaurant_id
)
SELECT c.city, r.name, r.stars, t.said, t.said - r.stars AS gap, s.sales,
       NTILE(10) OVER (PARTITION BY c.city ORDER BY s.sales DESC) AS tenth
FROM restaurants r JOIN rated t ON r.restaurant_id = t.restaurant_id
JOIN sold s ON r.restaurant_id = s.restaurant_id JOIN cities c ON r.city_id = c.city_id
WHERE t.reviews > 5

-- visits_to_orders
SELECT v.source, d.year, d.week, COUNT(*) AS visits, COUNT(o.order_id) AS orders,
       COUNT(o.order_id) / COUNT(*) AS share, AVG(v.seconds) FILTER (WHERE o.order_id IS NULL) AS seconds_without,
       AVG(v.seconds) FILTER (WHERE o.order_id IS NOT NULL) AS seconds_with
FROM visits v JOIN days d ON v.day_id = d.day_id LEFT JOIN orders o ON v.order_id = o.order_id
GROUP BY GROUPING SETS ((v.source, d.year, d.week), (v.source), ())

-- referral_chain
SELECT k.segment AS invited_segment, h.segment AS host_segment, c.region,
       COUNT(*) AS invited, SUM(o.subtotal) AS brought, SUM(o.subtotal) / COUNT(DISTINCT h.customer_id) AS per_host
FROM customers k JOIN customers h ON k.referred_by = h.customer_id JOIN cities c ON h.city_id = c.city_id
LEFT JOIN orders o ON o.customer_id = k.customer_id
GROUP BY k.segment, h.segment, c.region

-- managers_of_couriers
WITH team AS (
  SELECT m.courier_id AS manager_id, m.name AS manager, u.courier_id FROM couriers u JOIN couriers m
  ON u.manager_id = m.courier_id
)
SELECT t.manager, c.city, COUNT(DISTINCT t.courier_id) AS people, SUM(v.distance) AS km,
       SUM(v.bonus) + SUM(u.wage) AS cost
FROM team t JOIN couriers u ON t.courier_id = u.courier_id JOIN deliveries v ON v.courier_id = t.courier_id
JOIN cities c ON u.city_id = c.city_id GROUP BY t.manager, c.city

-- everything_about_an_order
SELECT o.order_id, k.name AS customer, k.email, r.name AS restaurant, c.city, d.date, p.title AS promotion,
       y.method, u.name AS courier, o.subtotal + o.fee + o.tip + o.tax AS total,
       COALESCE(p.discount * o.subtotal, 0) AS discount, v.distance
FROM orders o JOIN customers k ON o.customer_id = k.customer_id
JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN cities c ON r.city_id = c.city_id
JOIN days d ON o.day_id = d.day_id LEFT JOIN promotions p ON o.promotion_id = p.promotion_id
LEFT JOIN payments y ON y.order_id = o.order_id LEFT JOIN deliveries v ON v.order_id = o.order_id
LEFT JOIN couriers u ON v.courier_id = u.courier_id

-- vegan_trend
SELECT d.year, d.quarter, c.country,
       SUM(CASE WHEN i.is_vegan THEN l.quantity ELSE 0 END) / SUM(l.quantity) AS vegan_share,
       SUM(IF(i.is_vegan, l.quantity * i.kcal, 0)) AS vegan_kcal, MAX(i.price) AS dearest
FROM order_items l JOIN orders o ON l.order_id = o.order_id JOIN dishes i ON l.dish_id = i.dish_id
JOIN restaurants r ON i.restaurant_id = r.restaurant_id JOIN cities c ON r.city_id = c.city_id
JOIN days d ON o.day_id = d.day_id GROUP BY d.year, d.quarter, c.country

-- year_on_year
WITH yearly AS (
  SELECT r.chain, d.year, SUM(o.subtotal) AS sales, SUM(o.fee) AS fees, COUNT(*) AS orders
  FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
  GROUP BY r.chain, d.year
)
SELECT t.chain, t.year, t.sales, l.sales AS last_sales, (t.sales - l.sales) / l.sales AS growth,
       t.fees - l.fees AS more_fees, t.orders - COALESCE(l.orders, 0) AS more_orders
FROM yearly t LEFT JOIN yearly l ON t.chain = l.chain AND t.year = l.year + 1

-- gone_restaurants
SELECT restaurant_id, cuisine FROM restaurants
EXCEPT
SELECT r.restaurant_id, r.cuisine FROM restaurants r JOIN orders o ON o.restaurant_id = r.restaurant_id
JOIN days d ON o.day_id = d.day_id WHERE d.year = 2025

-- loyal_to_both
SELECT o.customer_id FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id WHERE r.cuisine = 'thai'
INTERSECT
SELECT o.customer_id FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id WHERE r.cuisine = 'greek'

-- segments_by_spend
WITH spent AS (
  SELECT o.customer_id, SUM(o.subtotal) AS total, COUNT(*) AS times, MAX(d.date) AS last_seen
  FROM orders o JOIN days d ON o.day_id = d.day_id GROUP BY o.customer_id
), labelled AS (
  SELECT s.*, CASE WHEN total > 2000 AND times > 50 THEN 'champion' WHEN total > 500 THEN 'regular'
                   WHEN times > 1 THEN 'sometimes' ELSE 'once' END AS label FROM spent s
)
SELECT l.label, k.segment, c.country, COUNT(*) AS guests, SUM(l.total) AS total, MEDIAN(l.times) AS middle
FROM labelled l JOIN customers k ON l.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
GROUP BY l.label, k.segment, c.country

-- cohorts
WITH joined AS (
  SELECT k.customer_id, d.year AS cohort FROM customers k JOIN days d ON k.joined_day = d.day_id
), active AS (
  SELECT o.customer_id, d.year, SUM(o.subtotal) AS spent FROM orders o JOIN days d ON o.day_id = d.day_id
  GROUP BY o.customer_id, d.year
)
SELECT j.cohort, a.year - j.cohort AS age, COUNT(DISTINCT a.customer_id) AS active, SUM(a.spent) AS spent,
       COUNT(DISTINCT a.customer_id) / MAX(z.size) AS share
FROM joined j JOIN active a ON j.customer_id = a.customer_id
JOIN (SELECT cohort, COUNT(*) AS size FROM joined GROUP BY cohort) z ON z.cohort = j.cohort
GROUP BY j.cohort, a.year - j.cohort

-- best_dish_per_city
SELECT city, dish, sold FROM (
  SELECT c.city, i.dish, SUM(l.quantity) AS sold,
         ROW_NUMBER() OVER (PARTITION BY c.city ORDER BY SUM(l.quantity) DESC, i.dish) AS nth
  FROM order_items l JOIN dishes i ON l.dish_id = i.dish_id
  JOIN restaurants r ON i.restaurant_id = r.restaurant_id JOIN cities c ON r.city_id = c.city_id
  GROUP BY c.city, i.dish
) WHERE nth = 1

-- card_privacy
SELECT SHA2(p.card, 256) AS card_hash, MD5(k.email) AS email_hash, c.country, COUNT(*) AS payments,
       SUM(p.amount) AS amount, MAX(p.paid_at) AS last_paid
FROM payments p JOIN orders o ON p.order_id = o.order_id JOIN customers k ON o.customer_id = k.customer_id
JOIN cities c ON k.city_id = c.city_id WHERE p.card IS NOT NULL
GROUP BY SHA2(p.card, 256), MD5(k.email), c.country

-- mismatched_payments
SELECT o.order_id, o.total, y.paid, o.total - y.paid AS missing, f.returned
FROM (SELECT order_id, subtotal + fee + tip + tax AS total FROM orders WHERE status = 'done') o
JOIN (SELECT order_id, SUM(amount) AS paid FROM payments GROUP BY order_id) y ON o.order_id = y.order_id
LEFT JOIN (SELECT order_id, SUM(amount) AS returned FROM refunds WHERE approved GROUP BY order_id) f
ON f.order_id = o.order_id
WHERE ABS(o.total - y.paid - COALESCE(f.returned, 0)) > 0.01

-- hours_of_the_day
SELECT c.timezone, HOUR(o.placed_at) AS hour, d.is_weekend, COUNT(*) AS orders, AVG(o.subtotal) AS basket,
       STDDEV(o.subtotal) AS spread, COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY c.timezone, d.is_weekend) AS share
FROM orders o JOIN customers k ON o.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
JOIN days d ON o.day_id = d.day_id GROUP BY c.timezone, HOUR(o.placed_at), d.is_weekend

-- gaps_between_orders
WITH gaps AS (
  SELECT o.customer_id, d.date, LAG(d.date) OVER (PARTITION BY o.customer_id ORDER BY d.date) AS before,
         LEAD(o.subtotal) OVER (PARTITION BY o.customer_id ORDER BY d.date) AS next_basket, o.subtotal
  FROM orders o JOIN days d ON o.day_id = d.day_id
)
SELECT k.segment, AVG(DATEDIFF(g.date, g.before)) AS mean_gap, MAX(DATEDIFF(g.date, g.before)) AS longest,
       AVG(g.next_basket - g.subtotal) AS change
FROM gaps g JOIN customers k ON g.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
WHERE g.before IS NOT NULL GROUP BY k.segment

-- commission_due
SELECT r.restaurant_id, r.name, d.year, d.month,
       ROUND(SUM(o.subtotal * r.commission), 2) AS commission,
       ROUND(SUM(o.subtotal * r.commission) - COALESCE(SUM(f.amount * r.commission), 0), 2) AS due,
       CONCAT(r.chain, ' / ', r.name) AS label
FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
LEFT JOIN (SELECT * FROM refunds WHERE approved) f ON f.order_id = o.order_id
GROUP BY r.restaurant_id, r.name, r.chain, d.year, d.month

-- bad_reviews_and_refunds
SELECT r.name, w.stars, COUNT(*) AS reviews, SUM(IF(f.refund_id IS NULL, 0, 1)) AS refunded,
       AVG(LENGTH(w.body)) AS length, COUNT_IF(LOWER(w.body) LIKE '%cold%') AS cold
FROM reviews w JOIN restaurants r ON w.restaurant_id = r.restaurant_id JOIN orders o ON w.order_id = o.order_id
LEFT JOIN refunds f ON f.order_id = o.order_id WHERE w.stars <= 2 GROUP BY r.name, w.stars

-- words_in_reviews
SELECT word, r.cuisine, COUNT(*) AS times, AVG(w.stars) AS mean_stars
FROM reviews w JOIN restaurants r ON w.restaurant_id = r.restaurant_id JOIN days d ON w.day_id = d.day_id
LATERAL VIEW EXPLODE(SPLIT(LOWER(w.body), ' ')) words AS word
WHERE LENGTH(word) > 3 AND d.year >= 2024 GROUP BY word, r.cuisine

-- courier_pay
SELECT u.courier_id, UPPER(TRIM(u.name)) AS courier, d.year, d.month, COUNT(*) AS trips,
       SUM(v.bonus) + MAX(u.wage) AS pay, SUM(o.tip) AS tips,
       CASE u.vehicle WHEN 'bike' THEN 0 WHEN 'scooter' THEN SUM(v.distance) * 0.05 ELSE SUM(v.distance) * 0.2 END AS fuel
FROM deliveries v JOIN couriers u ON v.courier_id = u.courier_id JOIN days d ON v.day_id = d.day_id
JOIN orders o ON v.order_id = o.order_id
GROUP BY u.courier_id, UPPER(TRIM(u.name)), u.vehicle, d.year, d.month

-- holiday_lift
WITH daily AS (
  SELECT d.date, d.holiday, d.week, SUM(o.subtotal) AS sales FROM orders o JOIN days d ON o.day_id = d.day_id
  GROUP BY d.date, d.holiday, d.week
), usual AS (SELECT week, AVG(sales) AS sales FROM daily WHERE holiday IS NULL GROUP BY week)
SELECT y.holiday, AVG(y.sales / u.sales) AS lift, COUNT(*) AS days FROM daily y JOIN usual u ON y.week = u.week
WHERE y.holiday IS NOT NULL GROUP BY y.holiday ORDER BY lift DESC

-- abandoned_visits
SELECT k.segment, v.source, c.country, COUNT(*) AS visits, SUM(v.pages) AS pages, AVG(v.seconds / v.pages) AS pace
FROM visits v LEFT ANTI JOIN orders o ON v.order_id = o.order_id
JOIN customers k ON v.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
WHERE v.pages > 0 GROUP BY k.segment, v.source, c.country

-- with_a_good_review
SELECT c.city, r.cuisine, COUNT(*) AS restaurants, AVG(r.stars) AS stars
FROM restaurants r LEFT SEMI JOIN reviews w ON w.restaurant_id = r.restaurant_id AND w.stars = 5
JOIN cities c ON r.city_id = c.city_id GROUP BY c.city, r.cuisine

-- same_cuisine_neighbours
SELECT a.name AS one, b.name AS other, a.cuisine, c.city, ABS(a.stars - b.stars) AS difference
FROM restaurants a JOIN restaurants b ON a.city_id = b.city_id AND a.cuisine = b.cuisine
AND a.restaurant_id < b.restaurant_id JOIN cities c ON a.city_id = c.city_id
WHERE a.stars IS NOT NULL AND b.stars IS NOT NULL

-- delivery_quantiles
SELECT c.region, u.vehicle, d.quarter, PERCENTILE(v.distance, 0.5) AS middle,
       PERCENTILE(v.distance, ARRAY(0.1, 0.9)) AS ends, CORR(v.distance, o.tip) AS far_and_generous,
       SKEWNESS(v.distance) AS skew
FROM deliveries v JOIN couriers u ON v.courier_id = u.courier_id JOIN cities c ON u.city_id = c.city_id
JOIN days d ON v.day_id = d.day_id JOIN orders o ON v.order_id = o.order_id
GROUP BY c.region, u.vehicle, d.quarter

-- favourites
SELECT customer_id, MAX_BY(cuisine, times) AS favourite, SUM(times) AS orders, COLLECT_SET(cuisine) AS cuisines
FROM (
  SELECT o.customer_id, r.cuisine, COUNT(*) AS times
  FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
  WHERE d.year > 2023 GROUP BY o.customer_id, r.cuisine
) GROUP BY customer_id

-- order_documents
SELECT o.order_id, NAMED_STRUCT('name', k.name, 'city', c.city) AS customer,
       COLLECT_LIST(STRUCT(i.dish, l.quantity, l.unit_price * l.quantity AS price)) AS items,
       SUM(l.unit_price * l.quantity) AS total
FROM orders o JOIN order_items l ON o.order_id = l.order_id JOIN dishes i ON l.dish_id = i.dish_id
JOIN customers k ON o.customer_id = k.customer_id JOIN cities c ON k.city_id = c.city_id
GROUP BY o.order_id, k.name, c.city

-- price_bands
SELECT band, cuisine, COUNT(*) AS dishes, AVG(price - cost) AS margin, MIN(kcal) AS lightest
FROM (
  SELECT r.cuisine, i.*, CASE WHEN i.price < 5 THEN 'low' WHEN i.price < 15 THEN 'middle' ELSE 'high' END AS band
  FROM dishes i JOIN restaurants r ON i.restaurant_id = r.restaurant_id
) GROUP BY band, cuisine

-- city_scorecard
WITH sales AS (
  SELECT r.city_id, SUM(o.subtotal) AS sales FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id
  GROUP BY r.city_id
), people AS (SELECT city_id, COUNT(*) AS customers FROM customers GROUP BY city_id),
fleet AS (SELECT city_id, COUNT(*) AS couriers, SUM(wage) AS wages FROM couriers GROUP BY city_id),
kitchens AS (SELECT city_id, COUNT(*) AS restaurants, AVG(stars) AS stars FROM restaurants GROUP BY city_id)
SELECT c.country, c.city, s.sales, p.customers, f.couriers, k.restaurants, k.stars,
       s.sales / p.customers AS per_customer, p.customers / c.population AS reach, s.sales - f.wages AS left_over
FROM cities c LEFT JOIN sales s ON c.city_id = s.city_id LEFT JOIN people p ON c.city_id = p.city_id
LEFT JOIN fleet f ON c.city_id = f.city_id LEFT JOIN kitchens k ON c.city_id = k.city_id

-- two_years_apart
WITH sums AS (
  SELECT k.city_id, d.year, SUM(o.subtotal) AS spent, SUM(o.tip) AS tips
  FROM orders o JOIN customers k ON o.customer_id = k.customer_id JOIN days d ON o.day_id = d.day_id
  GROUP BY k.city_id, d.year
)
SELECT c.city, a.spent AS then, b.spent AS now, b.spent / a.spent AS growth,
       b.tips / b.spent - a.tips / a.spent AS kinder
FROM sums a JOIN sums b ON a.city_id = b.city_id JOIN cities c ON c.city_id = a.city_id
WHERE a.year = 2023 AND b.year = 2025 AND a.spent > 0

-- busiest_couriers_by_day
SELECT d.date, t.name, t.trips FROM days d, LATERAL (
  SELECT u.name, COUNT(*) AS trips FROM deliveries v JOIN couriers u ON v.courier_id = u.courier_id
  WHERE v.day_id = d.day_id GROUP BY u.name
) t WHERE t.trips > 12

-- money_in_and_out
SELECT kind, year, SUM(amount) AS amount, COUNT(*) AS entries FROM (
  SELECT 'payment' AS kind, d.year, p.amount FROM payments p JOIN orders o ON p.order_id = o.order_id
  JOIN days d ON o.day_id = d.day_id
  UNION ALL
  SELECT 'refund', d.year, -f.amount FROM refunds f JOIN days d ON f.day_id = d.day_id WHERE f.approved
  UNION ALL
  SELECT 'bonus', d.year, -v.bonus FROM deliveries v JOIN days d ON v.day_id = d.day_id
  UNION ALL
  SELECT 'wage', d.year, -u.wage FROM couriers u JOIN days d ON u.hired_day <= d.day_id WHERE d.weekday = 1
) GROUP BY ROLLUP (kind, year)

-- people_directory
SELECT 'customer' AS role, k.customer_id AS id, k.name, c.city FROM customers k JOIN cities c ON k.city_id = c.city_id
UNION
SELECT 'courier', u.courier_id, u.name, c.city FROM couriers u JOIN cities c ON u.city_id = c.city_id
UNION
SELECT 'restaurant', r.restaurant_id, r.name, c.city FROM restaurants r JOIN cities c ON r.city_id = c.city_id

-- tips_by_age
SELECT FLOOR((d.year - k.birth_year) / 10) * 10 AS age, u.vehicle, d.is_weekend, COUNT(*) AS orders,
       AVG(o.tip / NULLIF(o.subtotal, 0)) AS tip_share, SUM(o.tip) AS tips
FROM orders o JOIN customers k ON o.customer_id = k.customer_id JOIN days d ON o.day_id = d.day_id
JOIN deliveries v ON v.order_id = o.order_id JOIN couriers u ON v.courier_id = u.courier_id
WHERE k.birth_year IS NOT NULL
GROUP BY FLOOR((d.year - k.birth_year) / 10) * 10, u.vehicle, d.is_weekend

-- long_report
SELECT c.country, c.city, r.chain, r.name, i.category, d.year, d.quarter, d.month,
       SUM(l.quantity) AS quantity, SUM(l.quantity * l.unit_price) AS gross, SUM(l.discount) AS discount,
       SUM(l.quantity * l.unit_price - l.discount) AS net, SUM(l.quantity * i.cost) AS cost,
       SUM(l.quantity * l.unit_price - l.discount - l.quantity * i.cost) AS profit,
       SUM(l.quantity * l.unit_price * r.commission) AS commission, AVG(l.unit_price) AS mean_price,
       MIN(l.unit_price) AS least, MAX(l.unit_price) AS most, COUNT(DISTINCT o.customer_id) AS guests,
       COUNT(DISTINCT o.order_id) AS orders
FROM order_items l JOIN orders o ON l.order_id = o.order_id JOIN dishes i ON l.dish_id = i.dish_id
JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN cities c ON r.city_id = c.city_id
JOIN days d ON o.day_id = d.day_id JOIN customers k ON o.customer_id = k.customer_id
WHERE o.status = 'done' AND k.segment <> 'test'
GROUP BY c.country, c.city, r.chain, r.name, i.category, d.year, d.quarter, d.month

-- anomalies
WITH daily AS (
  SELECT r.restaurant_id, r.name, d.date, SUM(o.subtotal) AS sales
  FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
  GROUP BY r.restaurant_id, r.name, d.date
), scored AS (
  SELECT *, AVG(sales) OVER w AS mean, STDDEV(sales) OVER w AS spread FROM daily
  WINDOW w AS (PARTITION BY restaurant_id ORDER BY date ROWS BETWEEN 28 PRECEDING AND 1 PRECEDING)
)
SELECT restaurant_id, name, date, sales, (sales - mean) / spread AS score FROM scored
WHERE spread > 0 AND ABS(sales - mean) > 3 * spread

-- streaks
WITH days_on AS (
  SELECT DISTINCT v.courier_id, d.date FROM deliveries v JOIN days d ON v.day_id = d.day_id
), grouped AS (
  SELECT courier_id, date,
         DATE_SUB(date, CAST(ROW_NUMBER() OVER (PARTITION BY courier_id ORDER BY date) AS INT)) AS streak
  FROM days_on
)
SELECT u.name, c.city, MIN(g.date) AS began, MAX(g.date) AS ended, COUNT(*) AS days
FROM grouped g JOIN couriers u ON g.courier_id = u.courier_id JOIN cities c ON u.city_id = c.city_id
GROUP BY u.name, c.city, g.streak HAVING COUNT(*) >= 7

-- share_of_wallet
SELECT k.customer_id, r.chain, SUM(o.subtotal) AS spent,
       SUM(o.subtotal) / SUM(SUM(o.subtotal)) OVER (PARTITION BY k.customer_id) AS share,
       PERCENT_RANK() OVER (PARTITION BY r.chain ORDER BY SUM(o.subtotal)) AS standing
FROM orders o JOIN customers k ON o.customer_id = k.customer_id
JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
WHERE d.year = 2025 AND r.chain IN (SELECT chain FROM restaurants GROUP BY chain HAVING COUNT(*) > 10)
GROUP BY k.customer_id, r.chain

-- menu_of_measures
SELECT restaurant_id, measure, value FROM (
  SELECT r.restaurant_id, CAST(SUM(o.subtotal) AS DOUBLE) AS sales, CAST(SUM(o.tip) AS DOUBLE) AS tips,
         CAST(COUNT(*) AS DOUBLE) AS orders, MAX(r.stars) AS stars
  FROM orders o JOIN restaurants r ON o.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
  GROUP BY r.restaurant_id
) UNPIVOT (value FOR measure IN (sales, tips, orders, stars))

-- promotion_overlap
SELECT a.title AS one, b.title AS other, COUNT(DISTINCT o.customer_id) AS guests,
       LEAST(a.ends_day, b.ends_day) - GREATEST(a.starts_day, b.starts_day) AS days_shared
FROM promotions a JOIN promotions b ON a.promotion_id < b.promotion_id
AND a.starts_day <= b.ends_day AND b.starts_day <= a.ends_day
JOIN orders o ON o.promotion_id IN (a.promotion_id, b.promotion_id)
GROUP BY a.title, b.title, LEAST(a.ends_day, b.ends_day) - GREATEST(a.starts_day, b.starts_day)

-- three_thresholds
SELECT CASE WHEN (SELECT COUNT(*) FROM orders WHERE subtotal BETWEEN 0 AND 10) > 1000
            THEN (SELECT AVG(fee) FROM orders WHERE subtotal BETWEEN 0 AND 10)
            ELSE (SELECT AVG(tip) FROM orders WHERE subtotal BETWEEN 0 AND 10) END AS small,
       CASE WHEN (SELECT COUNT(*) FROM orders WHERE subtotal BETWEEN 10 AND 50) > 1000
            THEN (SELECT AVG(fee) FROM orders WHERE subtotal BETWEEN 10 AND 50)
            ELSE (SELECT AVG(tip) FROM orders WHERE subtotal BETWEEN 10 AND 50) END AS middle,
       c.country, COUNT(*) AS cities
FROM cities c WHERE c.population > (SELECT AVG(population) FROM cities) GROUP BY c.country

-- quiet_or_loud
SELECT COALESCE(a.courier_id, b.courier_id) AS courier_id, a.trips AS early, b.trips AS late,
       COALESCE(a.trips, 0) + COALESCE(b.trips, 0) AS trips, u.name
FROM (SELECT courier_id, COUNT(*) AS trips FROM deliveries WHERE HOUR(picked_at) < 12 GROUP BY courier_id) a
FULL OUTER JOIN (SELECT courier_id, COUNT(*) AS trips FROM deliveries WHERE HOUR(picked_at) >= 18 GROUP BY courier_id) b
ON a.courier_id = b.courier_id JOIN couriers u ON u.courier_id = COALESCE(a.courier_id, b.courier_id)

-- next_visit_source
SELECT first_source, next_source, COUNT(*) AS times, AVG(minutes) AS minutes FROM (
  SELECT v.source AS first_source, LEAD(v.source) OVER w AS next_source,
         TIMESTAMPDIFF(MINUTE, v.started_at, LEAD(v.started_at) OVER w) AS minutes
  FROM visits v JOIN customers k ON v.customer_id = k.customer_id JOIN days d ON v.day_id = d.day_id
  WHERE d.year = 2025 WINDOW w AS (PARTITION BY v.customer_id ORDER BY v.started_at)
) WHERE next_source IS NOT NULL GROUP BY first_source, next_source

-- deepest_discounts
SELECT r.name, i.dish, l.unit_price, i.price, 1 - l.unit_price / i.price AS off, d.date, p.title
FROM order_items l JOIN dishes i ON l.dish_id = i.dish_id JOIN orders o ON l.order_id = o.order_id
JOIN restaurants r ON i.restaurant_id = r.restaurant_id JOIN days d ON o.day_id = d.day_id
LEFT JOIN promotions p ON o.promotion_id = p.promotion_id
WHERE l.unit_price < i.price ORDER BY off DESC, d.date LIMIT 500

-- lifetime
WITH paid AS (
  SELECT o.customer_id, SUM(p.amount) AS paid, MIN(p.paid_at) AS since FROM payments p
  JOIN orders o ON p.order_id = o.order_id GROUP BY o.customer_id
), returned AS (
  SELECT o.customer_id, SUM(f.amount) AS returned FROM refunds f JOIN orders o ON f.order_id = o.order_id
  WHERE f.approved GROUP BY o.customer_id
), seen AS (SELECT customer_id, COUNT(*) AS visits, SUM(seconds) AS seconds FROM visits GROUP BY customer_id),
said AS (SELECT customer_id, AVG(stars) AS stars FROM reviews GROUP BY customer_id)
SELECT k.customer_id, k.segment, c.country, p.paid - COALESCE(r.returned, 0) + k.credit AS worth, p.since,
       s.visits, s.seconds / 3600 AS hours, t.stars,
       NTILE(100) OVER (ORDER BY p.paid - COALESCE(r.returned, 0)) AS hundredth
FROM customers k JOIN cities c ON k.city_id = c.city_id LEFT JOIN paid p ON k.customer_id = p.customer_id
LEFT JOIN returned r ON k.customer_id = r.customer_id LEFT JOIN seen s ON k.customer_id = s.customer_id
LEFT JOIN said t ON k.customer_id = t.customer_id
