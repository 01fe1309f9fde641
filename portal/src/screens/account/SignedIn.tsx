// Who is signed in here, and the two ways to sign out.

import { signOut, useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";

export function SignedIn() {
  const session = useSession();
  const leave = useAction({ run: () => signOut(), failed: "Still signed in." });
  const leaveAll = useAction({
    ask: () => ({
      question: "Sign out everywhere?",
      cost: "Every browser that is signed in to this account is signed out. Tokens stay good.",
      verb: "Sign out everywhere",
    }),
    run: () => signOut({ everywhere: true }),
    failed: "Still signed in.",
  });
  return (
    <div className="account-block">
      <p className="mid">
        This browser, until <Time at={session.expiresOn} form="day" />; every use puts that off.
      </p>
      <div className="row">
        <Button busy={leave.isPending} onClick={() => leave.start()}>
          Sign out
        </Button>
        <Button kind="danger" onClick={() => leaveAll.start()}>
          Sign out everywhere
        </Button>
      </div>
    </div>
  );
}
