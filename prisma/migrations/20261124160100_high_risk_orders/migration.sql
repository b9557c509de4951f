-- Orders that Shopify calls high-risk are held before anything is ordered for them, unless the shop wants otherwise.
ALTER TABLE shops ADD COLUMN hold_high_risk BOOLEAN NOT NULL DEFAULT true;
-- A person released the request although its order is high-risk: it is not held for that again.
ALTER TABLE referral_requests ADD COLUMN risk_accepted BOOLEAN NOT NULL DEFAULT false;
