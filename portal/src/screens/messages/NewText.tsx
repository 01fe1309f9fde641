// A text to a new recipient: the recipient's number above, the composer below.

import { useState } from "react";
import { TextField } from "../../components/form.tsx";
import { useNumberReader } from "../../components/number-reader.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Composer } from "./Composer.tsx";

export function NewText() {
  const [search, change] = useSearchState();
  const [to, setTo] = useState(search.to ?? "");
  const number = useNumberReader()(to) ?? to.trim();
  return (
    <section className="thread" aria-label="New text">
      <div className="new-text">
        <TextField
          label="To"
          hint="As +14154740200, or as it is written in your country. That one is the sandbox's own phone."
          autoFocus
          className="mono"
          inputMode="tel"
          placeholder="+1…"
          value={to}
          onChange={setTo}
        />
      </div>
      <Composer to={number} from={search.from} isLoading={false} onFrom={(from) => change({ from })} />
    </section>
  );
}
