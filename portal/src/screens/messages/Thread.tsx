// A conversation: its texts, day by day, and the composer below. A line connects the selected text to its explanation.

import type { OutboundMessage } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { phonesQuery } from "../../api/account-queries.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty } from "../../components/page.tsx";
import { Patch } from "../../components/patch.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { failureWord, messageStatus, Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { longDay } from "../../components/zone.ts";
import { Composer } from "./Composer.tsx";
import { Media } from "./Media.tsx";
import { partyQuery, type Text, threadQuery } from "./message-queries.ts";
import { ReplyAsThem } from "./ReplyAsThem.tsx";

export interface ThreadProps {
  readonly theirs: string;
  readonly chosen: string | undefined;
  readonly why: ReactNode;
}

const PAGES = [100, 1000];

export function Thread({ theirs, chosen, why }: ThreadProps) {
  const [pages, setPages] = useState(0);
  const query = useQuery(threadQuery(theirs, PAGES[pages] ?? 1000));
  const [isReplying, setReplying] = useState(false);
  const { sandbox } = useSession();
  const [search, change] = useSearchState();
  const texts = query.data?.texts ?? [];
  const ours = search.from ?? texts.findLast(({ sid }) => sid === chosen)?.ours ?? texts.at(-1)?.ours;
  const reply = { id: "reply", label: "Answer as this phone", run: () => setReplying(true) };
  return (
    <>
      <section className="thread" aria-label="Conversation">
        <header>
          <Ends ours={ours} theirs={theirs} />
          {sandbox && (
            <Menu className="button-ghost" label="More" items={[reply]}>
              <Icon name="dots" />
              <span className="vh">More</span>
            </Menu>
          )}
        </header>
        <Bubbles
          texts={texts}
          chosen={chosen}
          onOlder={query.data?.hasOlder && pages === 0 ? () => setPages(1) : undefined}
        >
          {!query.data && <NotLoaded query={query} what="The conversation did not load" />}
          {query.data && texts.length === 0 && (
            <Empty what="No texts with this number yet" why="Write the first below." />
          )}
        </Bubbles>
        {isReplying && <ReplyAsThem theirs={theirs} ours={ours} onClose={() => setReplying(false)} />}
        <Composer
          key={theirs}
          to={theirs}
          from={ours}
          isLoading={query.isPending}
          onFrom={(from) => change({ from })}
        />
      </section>
      {why}
    </>
  );
}

function Ends({ ours, theirs }: { readonly ours: string | undefined; readonly theirs: string }) {
  const phones = useQuery(phonesQuery);
  const party = useQuery({ ...partyQuery(theirs), enabled: theirs.startsWith("+") });
  const name = phones.data?.find(({ number }) => number === ours)?.name;
  const about = party.data && [party.data.type, party.data.carrierName].filter(Boolean).join(", ");
  return (
    <Patch
      state={ours ? "connected" : "none"}
      left={
        ours && (
          <>
            <b className="strong">
              <PhoneNumber value={ours} />
            </b>
            <span className="thread-about cut">{name ?? "Yours"}</span>
          </>
        )
      }
      right={
        <>
          <b className="strong">
            <PhoneNumber value={theirs} />
          </b>
          <span className="thread-about cut">{about ?? "…"}</span>
        </>
      }
    />
  );
}

interface BubblesProps {
  readonly texts: readonly Text[];
  readonly chosen: string | undefined;
  readonly onOlder: (() => void) | undefined;
  readonly children: ReactNode;
}

function Bubbles({ texts, chosen, onOlder, children }: BubblesProps) {
  const box = useRef<HTMLElement>(null);
  const last = texts.at(-1)?.sid;
  // The newest text, or the chosen one, is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a text comes or another one is chosen
  useLayoutEffect(() => {
    const element = chosen && box.current?.querySelector(`[data-sid="${chosen}"]`);
    if (element) element.scrollIntoView({ block: "nearest" });
    else if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last, chosen]);
  const now = new Date();
  const isSeveral = new Set(texts.map(({ ours }) => ours)).size > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="bubbles" ref={box} tabIndex={0} aria-label="Texts">
      {onOlder && (
        <Button small onClick={onOlder}>
          Older texts
        </Button>
      )}
      {children}
      {texts.map((text, at) => {
        const day = longDay(new Date(text.at), now);
        const before = texts[at - 1];
        return (
          <Fragment key={text.sid}>
            {(!before || longDay(new Date(before.at), now) !== day) && <p className="bubbles-day">{day}</p>}
            <Bubble text={text} isChosen={text.sid === chosen} saysWhose={isSeveral} />
          </Fragment>
        );
      })}
    </section>
  );
}

interface BubbleProps {
  readonly text: Text;
  readonly isChosen: boolean;
  /** Several of the account's numbers speak in the conversation. */
  readonly saysWhose: boolean;
}

function Bubble({ text, isChosen, saysWhose }: BubbleProps) {
  const { sent } = text;
  const status = sent && messageStatus(sent);
  const isFailed = status === "Failed" || status === "Expired";
  const className = `bubble ${text.isOut ? "bubble-out" : "bubble-in"}${isFailed ? " bubble-failed" : ""}`;
  return (
    <div
      className={`${className}${isChosen ? " bubble-chosen" : ""}`}
      data-sid={text.sid}
      aria-current={isChosen || undefined}
    >
      <Link to={`/messages/${text.sid}`} className="bubble-words" title={text.isOut ? "What became of it" : "Details"}>
        {text.text || (text.mediaUrls.length > 0 && "Picture")}
      </Link>
      {text.mediaUrls.map((url) => (
        <Media key={url} url={url} />
      ))}
      <span className="bubble-foot">
        <Time at={text.at} form="short" />
        {saysWhose && (
          <span>
            {text.isOut ? "from" : "to"} <PhoneNumber value={text.ours} />
          </span>
        )}
        {sent && status && <Status kind="message" value={status} word={wordOf(sent)} />}
        {sent && sent.errorCode !== 0 && sent.errorCode !== 3100 && <span className="mono">{sent.errorCode}</span>}
      </span>
    </div>
  );
}

function wordOf({ status, errorCode }: OutboundMessage): string | undefined {
  const failure = status === "Failed" ? failureWord(errorCode) : undefined;
  return failure && `Not delivered: ${failure.charAt(0).toLowerCase()}${failure.slice(1)}`;
}
