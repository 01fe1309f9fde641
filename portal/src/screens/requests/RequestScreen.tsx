// What did my request do? The page of a request id, which the palette opens.

import { ButtonLink } from "../../components/button.tsx";
import { PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { RequestAnswer } from "../../components/request-answer.tsx";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";

export function RequestScreen() {
  const { id } = useRouteParams("/requests/$id");
  usePlace([{ label: "Live log", to: "/log" }, { label: "Request" }]);
  return (
    <>
      <PageHead
        title="Request"
        sub={<Sid value={id} full />}
        buttons={<ButtonLink to={`/log?q=${encodeURIComponent(`request:${id}`)}`}>Find it in the log</ButtonLink>}
      />
      <RequestAnswer id={id} />
    </>
  );
}
