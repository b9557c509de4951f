import type { TestRequest } from "../shared/requests.ts";

export const sampleRequest = (over: Partial<TestRequest> = {}): TestRequest => ({
  id: "req-1",
  orderId: "gid://shopify/Order/1001",
  orderName: "#1001",
  title: "Iron studies",
  patientName: null,
  inOrder: { number: 1, of: 1 },
  replacement: null,
  state: "awaiting_details",
  nextStep: null,
  documents: [],
  resultId: null,
  parts: null,
  needsMedicare: null,
  canHandOver: true,
  handOver: null,
  canCorrect: null,
  prefill: null,
  notice: null,
  preparation: null,
  ...over,
});
