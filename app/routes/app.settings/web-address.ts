import { z } from "zod";

/** A page that people are sent to, or nothing: https alone, and no name or password in it. */
export const webAddress = (example: string) => {
  const error = `Enter a web address such as ${example}.`;
  return z.union([
    z.literal(""),
    z
      .url({ protocol: /^https$/, hostname: z.regexes.domain, error })
      .max(500, { error: "At most 500 characters." })
      .refine((typed) => URL.parse(typed)?.username === "", { error }),
  ]);
};
