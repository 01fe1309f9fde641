// Reads numbers that people type as the server does: in the account's country where they have no plus. For what goes
// into an address of the portal or of the API, which is E.164. Bodies are sent as typed: the server reads those itself.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { useSession } from "../api/session.ts";

/** The number in E.164; undefined where it is none. */
export type NumberReader = (typed: string) => string | undefined;

/** The table of numbering plans is large, and is loaded when somebody is about to type a number. */
export const readerQuery = queryOptions({
  queryKey: ["account", "number reader"],
  queryFn: async ({ signal }): Promise<{ readonly read: NumberReader }> => {
    const [{ parseNumber }, { data }] = await Promise.all([
      import("../../../rules/numbers/parse-number.ts"),
      client.account.get({ signal }),
    ]);
    return {
      read(typed) {
        const parsed = parseNumber(typed.trim(), data.country);
        return parsed.ok ? parsed.value.e164 : undefined;
      },
    };
  },
});

const READS_NOTHING: NumberReader = () => undefined;

/** Reads nothing until it is loaded, nor for operators, who have no country. */
export function useNumberReader(): NumberReader {
  const isAccount = useSession().kind === "Account";
  return useQuery({ ...readerQuery, enabled: isAccount }).data?.read ?? READS_NOTHING;
}
