// An agent without a model: repeats what the caller says, is silent as soon as the caller interrupts it, and leaves
// when a key is pressed. The messages are those of Twilio's Media Streams.

// In frames of 20 ms: when the caller has said enough, or is silent, and when it interrupts.
const [LONGEST, PAUSE, INTERRUPTION] = [150, 25, 10];
/** Of G.711 µ-law, whose octets are inverted. */
const isLoud = (octet) => (~octet & 0x7f) > 0x30;

export function talk(socket) {
  const say = (event, content) => socket.send(JSON.stringify({ event, [event]: content }));
  let heard = [];
  let [loud, quiet] = [0, 0];
  let isTalking = false;

  function hear(payload) {
    [loud, quiet] = Buffer.from(payload, "base64").some(isLoud) ? [loud + 1, 0] : [0, quiet + 1];
    if (loud > 0 || heard.length > 0) heard.push(payload);
    if (isTalking && loud === INTERRUPTION) {
      console.log("interrupted");
      say("clear");
    }
    const isOver = heard.length >= LONGEST || (heard.length > 0 && quiet >= PAUSE);
    if (isTalking || !isOver) return;
    console.log(`repeats ${heard.length * 20} ms`);
    for (const one of heard) say("media", { payload: one });
    say("mark", { name: "said" });
    isTalking = true;
    [heard, loud] = [[], 0];
  }

  socket.on("message", (data) => {
    const { event, media, dtmf } = JSON.parse(data);
    if (event === "media") hear(media.payload);
    // What was said has been heard, or was cleared.
    if (event === "mark") isTalking = false;
    if (event === "dtmf") console.log(`key ${dtmf.digit}`);
    if (event === "dtmf") socket.close();
  });
}
