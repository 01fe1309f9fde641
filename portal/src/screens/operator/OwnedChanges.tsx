// Who changed what in an account, for support: who deleted that webhook?

import { operator } from "../../api/client.ts";
import { ChangesTable } from "../../components/changes-table.tsx";
import { usePages } from "../../components/pages.ts";
import { useTextFilter } from "./operator-parts.tsx";

export function OwnedChanges({ accountSid }: { readonly accountSid: string }) {
  const [resource, resourceField] = useTextFilter("Of", "resource");
  const pages = usePages(
    ["changes", "owned", accountSid, resource],
    (options) => operator.account(accountSid).changes.list({ ...options, ...(resource && { resource }) }),
    { keepsRows: true },
  );
  return (
    <div className="operator-short">
      <div className="list-filter">{resourceField}</div>
      <ChangesTable {...pages} />
    </div>
  );
}
