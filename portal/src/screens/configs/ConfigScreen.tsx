// One MessagingConfig, or a new one (`/configs/new`): its settings, and the numbers that they hold for.

import type { MessagingConfig } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { dataQuery, itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Loaded, NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { ConfigForm } from "./ConfigForm.tsx";
import { draftOf, NEW_CONFIG, orderOf } from "./config-draft.ts";
import "./configs.css";
import { ButtonLink } from "../../components/button.tsx";

/** What a config decides. */
const NOUNS = ["configs", "phones", "campaigns", "migrations"];
const NUMBERS_MAX = 200;

export function ConfigScreen() {
  const { sid } = useRouteParams("/configs/$sid");
  return sid === "new" ? <NewConfig /> : <OneConfig sid={sid} />;
}

function NewConfig() {
  usePlace([{ label: "MessagingConfigs", to: "/configs" }, { label: "New config" }]);
  const [draft, setDraft] = useState(NEW_CONFIG);
  const navigate = useNavigate();
  const create = useAction({
    run: () => client.messagingConfigs.create(orderOf(draft)),
    nouns: NOUNS,
    done: ({ data }) => `${data.name} is made.`,
    onDone: ({ data }) => void navigate({ to: `/configs/${data.sid}` }),
  });
  return (
    <>
      <PageHead title="New MessagingConfig" sub="How numbers send, and what keywords are answered with" />
      <ConfigForm draft={draft} onChange={setDraft} verb="Make it" isChanged action={create} />
    </>
  );
}

function OneConfig({ sid }: { readonly sid: string }) {
  const query = useQuery(dataQuery(["configs", "one", sid], (options) => client.messagingConfigs.get(sid, options)));
  usePlace([{ label: "MessagingConfigs", to: "/configs" }, { label: query.data?.name ?? "Config" }]);
  if (!query.data) return <NotLoaded query={query} what="The config did not load" />;
  return <Settings key={JSON.stringify(query.data)} config={query.data} />;
}

function Settings({ config }: { readonly config: MessagingConfig }) {
  const [draft, setDraft] = useState(() => draftOf(config));
  const navigate = useNavigate();
  const save = useAction({
    run: () => client.messagingConfigs.change(config.sid, orderOf(draft)),
    nouns: NOUNS,
    done: () => "Saved.",
  });
  const remove = useAction({
    ask: () => ({
      question: `Delete ${config.name}?`,
      cost: "Its settings are gone. It can only be deleted while no number belongs to it.",
      verb: "Delete it",
    }),
    run: () => client.messagingConfigs.remove(config.sid),
    nouns: NOUNS,
    done: () => `${config.name} is deleted.`,
    onDone: () => void navigate({ to: "/configs" }),
    failed: "Not deleted.",
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(config));
  return (
    <>
      <PageHead
        title={config.name}
        sub={
          <>
            <Sid value={config.sid} full />
            <span>
              since <Time at={config.createdOn} form="day" />
            </span>
          </>
        }
      />
      <ConfigForm draft={draft} onChange={setDraft} verb="Save" isChanged={isChanged} action={save}>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
          Delete it
        </Button>
      </ConfigForm>
      <Numbers sid={config.sid} />
    </>
  );
}

function Numbers({ sid }: { readonly sid: string }) {
  const query = useQuery(
    itemsQuery(["phones", "of-config", sid], (options) =>
      client.messagingConfigs.phones(sid, { pageSize: NUMBERS_MAX, ...options }),
    ),
  );
  return (
    <Section title="Its numbers" count={query.data?.length}>
      <Loaded query={query} what="Its numbers did not load">
        {(phones) =>
          phones.length === 0 ? (
            <Empty what="No number belongs to it" why="A number's own page says which config it has.">
              <ButtonLink to="/numbers" small>
                Open the numbers
              </ButtonLink>
            </Empty>
          ) : (
            <ul className="config-numbers">
              {phones.map(({ number, name, status }) => (
                <li key={number}>
                  <Link className="link" to={`/numbers/${encodeURIComponent(number)}`}>
                    <PhoneNumber value={number} />
                  </Link>
                  <Status kind="number" value={status} />
                  <span className="mid cut">{name}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
