// Links an item to its account, by the account's name: for operators.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operator } from "../api/client.ts";
import { itemsQuery } from "../api/queries.ts";
import { ShortSid } from "./sid.tsx";

const ACCOUNTS_KNOWN = 1000;

/** Enough accounts to show them by name. */
export const accountsQuery = {
  ...itemsQuery(["accounts", "names"], (options) => operator.accounts.list({ pageSize: ACCOUNTS_KNOWN, ...options })),
  staleTime: 60_000,
};

export function AccountLink({ sid }: { readonly sid: string | null }) {
  const { data } = useQuery(accountsQuery);
  if (sid === null) return <span className="dim">none</span>;
  const name = data?.find((account) => account.sid === sid)?.name;
  return (
    <Link to={`/operator/accounts/${sid}`} className="link" title={sid}>
      {name ?? <ShortSid value={sid} />}
    </Link>
  );
}
