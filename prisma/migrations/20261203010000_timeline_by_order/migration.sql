-- A line of the timeline is read by its order: on the order's page and in exports, which know the orders of their requests. An
-- order leaves a dozen lines, and this index was a sixth of what they took. A former version's export does without it.
DROP INDEX "timeline_shop_request_id_id_idx";
