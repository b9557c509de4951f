import { type GraphQLFieldResolver, getNamedType, isAbstractType } from "graphql";
import { accessDenied, isAllowed } from "./access.ts";
import type { Caller } from "./context.ts";
import { notModelled } from "./not-modelled.ts";
import { fieldRefusal, objectRefusal } from "./protected-data.ts";
import type { AdminSchema } from "./schema.ts";

/**
 * Resolves every field of the Admin API: checks scopes and protected data as the schema demands them, then reads the
 * property of that name from the view object. A property that the view lacks, or an argument that it does not look at,
 * is an error, never a guess.
 */
export function createFieldResolver(admin: AdminSchema): GraphQLFieldResolver<unknown, Caller> {
  const check = (caller: Caller, field: string, typeName: string) => {
    if (!caller.isApp) return;
    const access = admin.requiredAccess.get(typeName);
    if (access !== undefined && !isAllowed(access, caller.scopes))
      throw accessDenied(field, access);
    const refused = objectRefusal(typeName, caller.platform.approval);
    if (refused) throw refused;
  };

  return async (source, args, caller, info) => {
    const field = `${info.parentType.name}.${info.fieldName}`;
    const type = getNamedType(info.returnType);
    if (caller.isApp) {
      const access = admin.requiredAccess.get(field);
      if (access !== undefined && !isAllowed(access, caller.scopes)) {
        throw accessDenied(info.fieldName, access);
      }
      const content = admin.protectedContent.get(field);
      const refused = content && fieldRefusal(content, info.fieldName, caller.platform.approval);
      if (refused) throw refused;
    }
    check(caller, info.fieldName, nodeTypeName(type.name));
    if (!isRecord(source) || !(info.fieldName in source)) throw notModelled(field);
    const property = source[info.fieldName];
    const watched = watchReads(args);
    const value: unknown =
      typeof property === "function"
        ? await property.call(source, watched.args, caller, info)
        : property;
    if (value === undefined) throw notModelled(field);
    for (const { name } of info.fieldNodes.flatMap((node) => node.arguments ?? [])) {
      if (args[name.value] != null && !watched.read.has(name.value))
        throw notModelled(`the argument ${name.value} of ${field}`);
    }
    if (isAbstractType(type)) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (isRecord(item)) check(caller, info.fieldName, String(item.__typename));
      }
    }
    return value;
  };
}

/** The arguments, with a list of those that were looked at: one that nobody looks at would be ignored silently. */
function watchReads(args: Record<string, unknown>) {
  const read = new Set<PropertyKey>();
  const watched = new Proxy(args, {
    get(target, name, receiver) {
      read.add(name);
      return Reflect.get(target, name, receiver);
    },
  });
  return { args: watched, read };
}

/** A connection is denied for what it connects: OrderConnection for Order. */
const nodeTypeName = (name: string): string => name.replace(/(Connection|Edge)$/, "");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
