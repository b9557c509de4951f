import type { Caller } from "./context.ts";
import { appRevokeAccessScopes } from "./mutations/app-revoke-access-scopes.ts";
import { flowTriggerReceive } from "./mutations/flow-trigger-receive.ts";
import { fulfillmentCreate } from "./mutations/fulfillment-create.ts";
import { metafieldsDelete, metafieldsSet } from "./mutations/metafields.ts";
import { tagsAdd, tagsRemove } from "./mutations/tags.ts";
import type { View } from "./view.ts";

/** The mutations that the store carries out; every other one is "not modelled". */
export function mutationRoot(caller: Caller): View {
  return {
    tagsAdd: (args: Parameters<typeof tagsAdd>[1]) => tagsAdd(caller, args),
    tagsRemove: (args: Parameters<typeof tagsRemove>[1]) => tagsRemove(caller, args),
    metafieldsSet: (args: Parameters<typeof metafieldsSet>[1]) => metafieldsSet(caller, args),
    metafieldsDelete: (args: Parameters<typeof metafieldsDelete>[1]) =>
      metafieldsDelete(caller, args),
    fulfillmentCreate: (args: Parameters<typeof fulfillmentCreate>[1]) =>
      fulfillmentCreate(caller, args),
    flowTriggerReceive: (args: Parameters<typeof flowTriggerReceive>[1]) =>
      flowTriggerReceive(caller, args),
    appRevokeAccessScopes: (args: Parameters<typeof appRevokeAccessScopes>[1]) =>
      appRevokeAccessScopes(caller, args),
  };
}
