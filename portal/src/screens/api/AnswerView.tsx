// The server's response: status, time, request id, headers and body, unchanged.

import { Code } from "../../components/code.tsx";
import { Section } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { Mark } from "../../components/status.tsx";
import { Tabs } from "../../components/tabs.tsx";
import type { Answered } from "./request.ts";

export function AnswerView({ answer }: { readonly answer: Answered }) {
  const { status, statusText, ms, requestId, headers, body, isJson } = answer;
  const isGood = status < 400;
  return (
    <Section
      title="Answer"
      aside={
        <>
          <span className="num">{ms} ms</span>
          {requestId && <Sid value={requestId} full />}
        </>
      }
    >
      <div className="api-block" aria-live="polite">
        <p className="api-status">
          <Mark shape={isGood ? "done" : "failed"} tone={isGood ? "ok" : "bad"} word={`${status} ${statusText}`} />
        </p>
        <Tabs
          label="Answer"
          tabs={[
            {
              id: "body",
              label: "Body",
              content: <Code label="Body" text={body} language={isJson ? "json" : "plain"} />,
            },
            { id: "headers", label: "Headers", content: <Code label="Headers" text={headers} language="http" /> },
          ]}
        />
      </div>
    </Section>
  );
}
