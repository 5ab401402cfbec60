/* Search runs in a worker, which a browser refuses to a page that was opened from a folder. There, a hidden frame of the
   same page does a worker's work: whatever it posts arrives here, whatever is posted here arrives there. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.started = new Promise((resolve, reject) => {
        const frame = document.createElement("iframe");
        frame.hidden = true;
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = inside.document.createElement("script");
          script.src = address;
          script.onload = () => resolve(inside);
          script.onerror = reject;
          inside.document.head.append(script);
        };
        document.body.append(frame);
      });
    }

    async postMessage(data) {
      (await this.started).dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
