// Search: everything that the account has by a number, an id, a name or words of texts (`?q=`). Texts of the last month
// are searched, or all (`?since=all`), the newest first; older ones are asked for by a button.

import type { AccountSearchResult } from "@tandem/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Time } from "../../components/time.tsx";
import { type Line, linesOf, textLine } from "./lines.tsx";
import "./search.css";

const SPANS = [
  ["", "the last 30 days"],
  ["all", "any time"],
] as const;
type Span = (typeof SPANS)[number][0];

export function SearchScreen() {
  usePlace([{ label: "Search" }]);
  const [{ q = "", since }, change] = useSearchState();
  const span: Span = since === "all" ? "all" : "";
  const [text, setText] = useState(q);
  // The palette and the browser's buttons change the address, too.
  useEffect(() => setText(q), [q]);
  return (
    <>
      <PageHead title="Search" sub="A number in any spelling, a sid, a request id, a name, or words of texts." />
      <Form
        className="search-form"
        role="search"
        onSubmit={() => change({ q: text.trim() || undefined }, { push: true })}
      >
        <TextField label="Look for" type="search" autoFocus value={text} onChange={setText} maxLength={200} />
        <SelectField
          label="Texts of"
          value={span}
          options={SPANS}
          onChange={(next) => change({ since: next || undefined })}
        />
        <Button type="submit" kind="primary" icon="search">
          Search
        </Button>
      </Form>
      {q.trim() !== "" && <Results key={`${span} ${q}`} query={q.trim()} span={span} />}
    </>
  );
}

interface ResultsProps {
  readonly query: string;
  readonly span: Span;
}

const ALL_TIME = new Date(0).toISOString();

function useResults({ query, span }: ResultsProps) {
  return useInfiniteQuery({
    queryKey: ["search", query, span],
    queryFn: async ({ signal, pageParam }) =>
      (
        await client.search.find(
          { query, ...(span === "all" && { createdOnFrom: ALL_TIME }), ...(pageParam && { searchId: pageParam }) },
          { signal },
        )
      ).data,
    initialPageParam: "",
    getNextPageParam: ({ searchId }: AccountSearchResult) => searchId,
    refetchOnWindowFocus: false,
  });
}

function Results(props: ResultsProps) {
  const { query } = props;
  const source = useResults(props);
  const pages = source.data?.pages ?? [];
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) return <NotLoaded query={source} what="The search failed" />;
  const texts = pages.flatMap((page) => page.texts);
  const groups = linesOf(first, query);
  return (
    <div aria-live="polite">
      {groups.map(({ title, lines }) => (
        <Group key={title} title={title} lines={lines} />
      ))}
      {texts.length > 0 && (
        <Group title="Texts with these words" lines={texts.map((found) => textLine(found, query))} />
      )}
      {groups.length === 0 && texts.length === 0 && !source.hasNextPage && <Nothing {...props} />}
      <p className="search-end">
        <span className="mid">
          Texts since <Time at={last.textsFrom} form="day" /> were searched.
        </span>
        {source.hasNextPage && (
          <Button small busy={source.isFetchingNextPage} onClick={() => void source.fetchNextPage()}>
            Search older texts
          </Button>
        )}
      </p>
    </div>
  );
}

function Nothing({ query, span }: ResultsProps) {
  const [, change] = useSearchState();
  return (
    <Empty
      what={`Nothing has “${query}”`}
      why="Texts are found by whole words, the last of which may be only begun; names by any part; numbers and ids by all of them."
    >
      {span !== "all" && <Button onClick={() => change({ since: "all" })}>Search texts of any time</Button>}
    </Empty>
  );
}

function Group({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  return (
    <Section title={title} count={lines.length}>
      <ul className="search-lines">
        {lines.map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
      </ul>
    </Section>
  );
}
