// Who changed what in an account, for support: who deleted that webhook?

import { operator } from "../../api/client.ts";
import { ChangesTable } from "../../components/changes-table.tsx";
import { usePages } from "../../components/pages.ts";

export function OwnedChanges({ accountSid }: { readonly accountSid: string }) {
  const pages = usePages(["changes", "owned", accountSid], (options) =>
    operator.account(accountSid).changes.list(options),
  );
  return (
    <div className="operator-short">
      <ChangesTable {...pages} />
    </div>
  );
}
