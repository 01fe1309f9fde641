// What needs attention in an account, as the account sees it, for support.

import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Findings } from "../../components/findings.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { pageOf } from "./finding-page.ts";

export function OwnedAttention({ accountSid }: { readonly accountSid: string }) {
  const attention = useQuery(
    dataQuery(["attention", "owned", accountSid], (options) =>
      operator.account(accountSid).oversight.attention(options),
    ),
  );
  return (
    <Loaded query={attention} what="What needs attention did not load">
      {({ items }) => (
        <Findings title="Needs them" findings={items} pageOf={(finding) => pageOf({ ...finding, accountSid })} />
      )}
    </Loaded>
  );
}
