// Parses numbers that users type as the server does: in the account's country if they have no plus. For numbers in an
// address of the portal or of the API, which are E.164. Bodies are sent as typed: the server parses those itself.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { useSession } from "../api/session.ts";

/** The number in E.164; undefined if it is not a number. */
export type NumberReader = (typed: string) => string | undefined;

/** The table of numbering plans is large: it is loaded when the user is about to type a number. */
export const readerQuery = queryOptions({
  queryKey: ["account", "number reader"],
  queryFn: async ({ signal }) => {
    const [{ parseNumber }, { data }] = await Promise.all([
      import("../../../rules/numbers/parse-number.ts"),
      client.account.get({ signal }),
    ]);
    return {
      read(typed: string): string | undefined {
        const parsed = parseNumber(typed.trim(), data.country);
        return parsed.ok ? parsed.value.e164 : undefined;
      },
      /** 2 for a valid number, 1 for a possible one, 0 for anything else. */
      weigh(typed: string): 0 | 1 | 2 {
        const parsed = parseNumber(typed.trim(), data.country);
        if (!parsed.ok) return 0;
        return parsed.value.planType === undefined ? 1 : 2;
      },
    };
  },
});

const READS_NOTHING: NumberReader = () => undefined;

/** Parses nothing until it has loaded, nor for operators, who have no country. */
export function useNumberReader(): NumberReader {
  const isAccount = useSession().kind === "Account";
  return useQuery({ ...readerQuery, enabled: isAccount }).data?.read ?? READS_NOTHING;
}
