// Who changed what in the account, in the last 90 days; `?resource=` of one webhook, number or config.

import { client } from "../../api/client.ts";
import { ChangesTable } from "../../components/changes-table.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";

export function ChangesScreen() {
  usePlace([{ label: "Account", to: "/account" }, { label: "Changes" }]);
  const [{ resource = "" }, change] = useSearchState();
  const wanted = resource.trim();
  const pages = usePages(
    ["changes", wanted],
    (options) => client.changes.list({ ...options, ...(wanted && { resource: wanted }) }),
    { keepsRows: true },
  );
  return (
    <ListPage
      title="Changes"
      sub="What tokens and people made, changed and deleted in 90 days"
      buttons={
        <input
          className="input mono"
          aria-label="Of"
          placeholder="sid or number"
          value={resource}
          onChange={(event) => change({ resource: event.target.value || undefined })}
        />
      }
    >
      <ChangesTable {...pages} />
    </ListPage>
  );
}
