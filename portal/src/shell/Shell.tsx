// The frame of every screen: navigation, bar, palette, shortcuts, toasts. Operators have a navigation of their own and
// a brass line on top.

import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { isOfShown } from "../api/client.ts";
import { live } from "../api/live.ts";
import { type Session, sessionQuery } from "../api/session.ts";
import { ConfirmPlace } from "../components/dialog.tsx";
import { type KeyTable, useKeys } from "../components/keys.ts";
import { Loading } from "../components/page.tsx";
import { Toasts } from "../components/toast.tsx";
import { Bar } from "./Bar.tsx";
import { KeySheet } from "./KeySheet.tsx";
import { Navigation, PhoneTabs } from "./Navigation.tsx";
import { NotFresh } from "./NotFresh.tsx";
import { ACCOUNT_GROUPS, OPERATOR_GROUPS } from "./navigation.ts";
import { OtherAccount } from "./OtherAccount.tsx";
import { Palette } from "./Palette.tsx";
import { useNewerBuildNote } from "./use-newer-build.ts";
import "./shell.css";

export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session) return <Ended />;
  return isOfShown(session) ? <SignedIn session={session} /> : <OtherAccount now={session} />;
}

/**
 * A session that ends while the page is open leads to the sign-in by the route's own guard, and from there to the same
 * address. Once: this component is shown until the sign-in is, and sees its address already.
 */
function Ended() {
  const router = useRouter();
  useEffect(() => void router.invalidate(), [router]);
  return <Loading />;
}

function SignedIn({ session }: { readonly session: Session }) {
  const isOperator = session.kind === "Operator";
  const groups = isOperator ? OPERATOR_GROUPS : ACCOUNT_GROUPS;
  const [floating, setFloating] = useState<"palette" | "keys" | undefined>();
  const navigate = useNavigate();
  useNewerBuildNote();
  useEffect(() => {
    live.start(session.kind);
    return () => live.stop();
  }, [session.kind]);
  const jumps: KeyTable = Object.fromEntries(
    groups
      .flatMap(({ destinations }) => destinations)
      .map(({ key, to }) => [`g ${key}`, () => void navigate({ to })] as const),
  );
  useKeys({
    ...jumps,
    "mod+k": () => setFloating("palette"),
    "?": () => setFloating("keys"),
    ...(!isOperator && { c: () => void navigate({ to: "/messages/new" }) }),
  });
  return (
    <div className={isOperator ? "app app-operator" : "app"}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Navigation session={session} groups={groups} onKeys={() => setFloating("keys")} />
      <Bar isSandbox={session.sandbox} onFind={() => setFloating("palette")} />
      <main id="main" className="main" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <PhoneTabs groups={groups} isOperator={isOperator} />
      {floating === "palette" && (
        <Palette groups={groups} isOperator={isOperator} onClose={() => setFloating(undefined)} />
      )}
      {floating === "keys" && <KeySheet groups={groups} onClose={() => setFloating(undefined)} />}
      <ConfirmPlace />
      <Toasts>
        <NotFresh />
      </Toasts>
    </div>
  );
}
