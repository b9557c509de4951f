/** Thread of {@link ElementRulesCache}: the compiler would keep the store from answering webhooks meanwhile. */
import { parentPort, workerData } from "node:worker_threads";
import { readElementRules } from "./read-element-rules.ts";

parentPort?.postMessage(readElementRules(String(workerData)));
