import { GraphQLError } from "graphql";

/** The sandbox would have to invent the answer: an error, so that nobody builds upon an invention. */
export const notModelled = (what: string): GraphQLError =>
  new GraphQLError(`${what} is not modelled by the sandbox store`, {
    extensions: { code: "NOT_MODELLED" },
  });
