// Numbers that can be taken, by area code or digits; one click takes one.

import { useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { itemsQuery } from "../api/queries.ts";
import { Button, IconButton } from "./button.tsx";
import { Input } from "./field.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { Empty, Section } from "./page.tsx";
import { PhoneNumber } from "./phone-number.tsx";
import { useSearchState } from "./search-state.ts";
import { useAction } from "./use-action.ts";
import { Problem } from "./verdict.tsx";
import "./take-number.css";

const firstConfigsQuery = itemsQuery(["configs", "first"], (options) =>
  client.messagingConfigs.list({ pageSize: 2, ...options }),
);

export interface TakeNumberProps {
  /** Without it the list cannot be closed. */
  readonly onClose?: () => void;
}

export function TakeNumber({ onClose }: TakeNumberProps) {
  const [{ digits = "" }, change] = useSearchState();
  const wanted = digits.replace(/\D/g, "");
  const found = useQuery(
    itemsQuery(["phones", "available", wanted], (options) =>
      client.phones.available({ ...(wanted && { contains: wanted }), ...options }),
    ),
  );
  const config = useQuery(firstConfigsQuery);
  // If there is only one config, the number gets it.
  const only = config.data?.length === 1 ? config.data[0] : undefined;
  const take = useAction({
    run: (phone: string) => client.phones.create({ phone, ...(only && { messagingConfigSid: only.sid }) }),
    nouns: ["phones"],
    done: ({ data }) => `${data.number} is yours.`,
  });
  return (
    <Section title="Take a number" aside={onClose && <IconButton icon="x" label="Close" onClick={onClose} />}>
      <div className="take-number">
        <Input
          aria-label="Digits it contains"
          className="mono"
          inputMode="numeric"
          placeholder="415, 0123 …"
          value={digits}
          onChange={(event) => change({ digits: event.target.value || undefined })}
        />
        <span className="mid small">
          {config.data &&
            (only ? `It joins the MessagingConfig ${only.name}.` : "Give it a MessagingConfig afterwards.")}
        </span>
      </div>
      {take.error && <Problem what="Not taken" error={take.error} />}
      {!found.data && <NotLoaded query={found} what="The list did not load" rows={3} />}
      {found.data?.length === 0 && <Empty what="None is free like that" why="Try fewer digits." />}
      <ul className="available-numbers">
        {found.data?.map(({ number, features }) => (
          <li key={number}>
            <PhoneNumber value={number} />
            <span className="dim small">{features.join(", ")}</span>
            <Button small busy={take.isPending && take.variables === number} onClick={() => take.start(number)}>
              Take
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
