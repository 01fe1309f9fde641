// Who is signed in here, and the two ways to sign out.

import { useMutation } from "@tanstack/react-query";
import { signOut, useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";

export function SignedIn() {
  const session = useSession();
  const leave = useMutation({
    mutationFn: (everywhere: boolean) => signOut({ everywhere }),
    onError: (error) => toast.problem("Still signed in.", error),
  });
  const leaveAll = async () => {
    const cost = "Every browser that is signed in to this account is signed out. Tokens stay good.";
    if (await confirm({ question: "Sign out everywhere?", cost, verb: "Sign out everywhere" })) leave.mutate(true);
  };
  return (
    <div className="account-block">
      <p className="mid">
        This browser, until <Time at={session.expiresOn} form="day" />; every use puts that off.
      </p>
      <div className="row">
        <Button busy={leave.isPending} onClick={() => leave.mutate(false)}>
          Sign out
        </Button>
        <Button kind="danger" onClick={() => void leaveAll()}>
          Sign out everywhere
        </Button>
      </div>
    </div>
  );
}
