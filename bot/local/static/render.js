// From Discord's data to elements: text with markdown, components, messages.

/** A new element: h("b", {class: "x"}, "text", child). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// ------------------------------------------------------------------- text

const INLINE = [
  [/^```(?:([\w+-]+)\n)?([\s\S]+?)```/, (m) => h("pre", {}, h("code", {}, m[2].replace(/^\n|\n$/g, "")))],
  [/^``([^`]|[^`][\s\S]*?[^`])``/, (m) => h("code", {}, m[1])],
  [/^`([^`]+)`/, (m) => h("code", {}, m[1])],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m, names) => h("strong", {}, ...inline(m[1], names))],
  [/^__([\s\S]+?)__(?!_)/, (m, names) => h("u", {}, ...inline(m[1], names))],
  [/^\*(?=\S)((?:\*\*|[^*])+?)\*(?!\*)/, (m, names) => h("em", {}, ...inline(m[1], names))],
  [/^_(?=\S)([^_]+?)_(?!\w)/, (m, names) => h("em", {}, ...inline(m[1], names))],
  [/^~~([\s\S]+?)~~/, (m, names) => h("s", {}, ...inline(m[1], names))],
  [/^\|\|([\s\S]+?)\|\|/, (m, names) => spoiler(inline(m[1], names))],
  [/^<@!?(\d+)>/, (m, names) => mention("@" + (names.users[m[1]] || "somebody"), names.you === m[1])],
  [/^<@&(\d+)>/, (m, names) => mention("@" + (names.roles[m[1]] || "role"))],
  [/^<#(\d+)>/, (m, names) => mention("#" + (names.channels[m[1]] || "channel"))],
  [/^<\/([^:>]+):\d+>/, (m) => mention("/" + m[1])],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => timestamp(Number(m[1]), m[2] || "f")],
  [/^<a?:(\w+):\d+>/, (m) => document.createTextNode(`:${m[1]}:`)],
  [/^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/, (m, names) => link(m[2], inline(m[1], names))],
  [/^<?(https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]'"])>?/, (m) => link(m[1], [m[1]])],
  [/^\\([\\*_~`|<>#\-.[\]()])/, (m) => document.createTextNode(m[1])],
];

function inline(text, names) {
  const parts = [];
  let plain = "";
  let rest = text;
  let previous = "";
  outer: while (rest) {
    if (!/^[\p{L}\p{N}\s]/u.test(rest) || (rest[0] === "h" && !/\w/.test(previous))) {
      for (const [pattern, make] of INLINE) {
        if (rest[0] === "_" && /\w/.test(previous)) break;
        const match = pattern.exec(rest);
        if (!match) continue;
        if (plain) parts.push(plain);
        plain = "";
        parts.push(make(match, names));
        previous = match[0].at(-1);
        rest = rest.slice(match[0].length);
        continue outer;
      }
    }
    const length = rest.codePointAt(0) > 0xffff ? 2 : 1;
    previous = rest.slice(0, length);
    plain += previous;
    rest = rest.slice(length);
  }
  if (plain) parts.push(plain);
  return parts;
}

function mention(text, me = false) { return h("span", { class: me ? "mention me" : "mention" }, text); }
function link(url, children) { return h("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, ...children); }
function spoiler(children) {
  return h("button", { type: "button", class: "spoiler", title: "Show", onclick: (event) => event.currentTarget.classList.add("open") }, ...children);
}

/** Discord's markdown as a fragment. */
export function markdown(text, names) {
  const out = document.createDocumentFragment();
  const lines = text.replace(/\r/g, "").split("\n");
  let paragraph = [];
  const flush = () => {
    if (!paragraph.length) return;
    const p = h("p");
    inline(paragraph.join("\n"), names).forEach((part) => p.append(part));
    out.append(p);
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    let match;
    if (/^```/.test(line) || (line.includes("```") && (line.match(/```/g).length % 2))) {
      let block = line;
      while (index + 1 < lines.length && block.match(/```/g).length % 2) block += "\n" + lines[++index];
      paragraph.push(block);
    } else if ((match = /^(#{1,3}) +(.+)/.exec(line))) {
      flush();
      out.append(h("h" + (match[1].length + 2), {}, ...inline(match[2], names)));
    } else if ((match = /^-# +(.+)/.exec(line))) {
      flush();
      out.append(h("p", { class: "subtext" }, ...inline(match[1], names)));
    } else if ((match = /^( *)([-*]|\d+\.) +(.+)/.exec(line))) {
      flush();
      const ordered = /\d/.test(match[2]);
      const deep = match[1].length >= 2;
      let list = out.lastElementChild;
      if (!list || !["UL", "OL"].includes(list.tagName)) {
        list = ordered ? h("ol", { start: parseInt(match[2], 10) }) : h("ul");
        out.append(list);
      }
      list.append(h("li", { class: deep ? "deep" : null }, ...inline(match[3], names)));
    } else if ((match = /^> ?(.*)/.exec(line)) && line[0] === ">") {
      flush();
      let quote = out.lastElementChild;
      if (!quote || quote.tagName !== "BLOCKQUOTE") out.append((quote = h("blockquote")));
      else quote.append("\n");
      quote.append(...inline(match[1], names));
    } else if (!line.trim()) {
      flush();
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return out;
}

// ------------------------------------------------------------------- time

const STYLES = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
};

function relative(seconds) {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, size] of [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(Math.trunc(seconds), "second");
}

function timeText(unix, style) {
  const at = new Date(unix * 1000);
  return style === "R" ? relative(unix - Date.now() / 1000) : new Intl.DateTimeFormat("en-GB", STYLES[style]).format(at);
}

function timestamp(unix, style) {
  const at = new Date(unix * 1000);
  return h("time", { class: "stamp", datetime: at.toISOString(), title: at.toLocaleString(), "data-unix": unix, "data-style": style }, timeText(unix, style));
}

/** Bring every "2 minutes ago" up to date. */
export function tick() {
  for (const element of document.querySelectorAll('time[data-style="R"]')) {
    const text = timeText(Number(element.dataset.unix), "R");
    if (element.textContent !== text) element.textContent = text;
  }
}

function shortTime(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  const options = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return h("time", { datetime: iso, title: at.toLocaleString() }, new Intl.DateTimeFormat("en-GB", options).format(at));
}

// -------------------------------------------------------------- components

const BUTTONS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

function emoji(value) { return value ? (value.id ? `:${value.name}:` : value.name) : ""; }

function picture(media, description) {
  return h("figure", {},
    h("button", { type: "button", class: "picture", title: "Show larger", onclick: () => enlarge(media.url, description) },
      h("img", { src: media.url, alt: description || "", loading: "lazy" })),
    description ? h("details", { class: "alt" }, h("summary", {}, "Description"), h("p", {}, description)) : null);
}

function enlarge(url, description) {
  const dialog = document.getElementById("picture");
  const image = dialog.querySelector("img");
  image.src = url;
  image.alt = description || "";
  image.classList.remove("full");
  image.onclick = () => image.classList.toggle("full");
  dialog.showModal();
}

/** Elements for a list of components; ``act`` says how presses and choices are sent. */
export function components(list, names, act) {
  return (list || []).map((item) => component(item, names, act)).filter(Boolean);
}

function component(item, names, act) {
  switch (item.type) {
    case 1: return h("div", { class: "row" }, ...components(item.components, names, act));
    case 2: return button(item, act);
    case 3: case 5: case 6: case 7: case 8: return select(item, names, act);
    case 9: return h("div", { class: "section" }, h("div", {}, ...components(item.components, names, act)), component(item.accessory, names, act));
    case 10: { const box = h("div", { class: "text" }); box.append(markdown(item.content, names)); return box; }
    case 11: return h("div", { class: "thumbnail" }, picture(item.media, item.description));
    case 12: return h("div", { class: item.items.length > 1 ? "gallery many" : "gallery" }, ...item.items.map((one) => picture(one.media, one.description)));
    case 13: return file(item.file.url, item.name || decodeURIComponent(item.file.url.split("/").at(-1)), item.size);
    case 14: return h("hr", { class: (item.divider === false ? "blank " : "") + (item.spacing === 2 ? "wide" : "") });
    case 17: {
      const box = h("div", { class: "container" }, ...components(item.components, names, act));
      if (item.accent_color !== null && item.accent_color !== undefined) {
        box.style.setProperty("--accent", "#" + item.accent_color.toString(16).padStart(6, "0"));
      }
      return box;
    }
    default: return null;
  }
}

function file(url, name, size) {
  const note = size ? ` (${size < 1024 ? size + " bytes" : Math.round(size / 1024) + " kB"})` : "";
  return h("a", { class: "file", href: url, download: name }, "Download " + name + note);
}

function button(item, act) {
  const label = [emoji(item.emoji), item.label].filter(Boolean).join(" ");
  if (item.style === 5) return h("a", { class: "button link", href: item.url, target: "_blank", rel: "noreferrer noopener" }, label);
  return h("button", {
    type: "button", class: "button " + (BUTTONS[item.style] || "secondary"), disabled: item.disabled || !item.custom_id,
    "data-custom-id": item.custom_id, onclick: (event) => act("click", { custom_id: item.custom_id }, event.currentTarget),
  }, label);
}

/** The options of any kind of select: [{label, value, description}]. */
export function optionsOf(item, names) {
  const listed = (record, sign) => Object.entries(record).map(([value, label]) => ({ value, label: sign + label }));
  if (item.type === 3 || item.type === 21 || item.type === 22) return item.options || [];
  const people = listed(names.people, "");
  if (item.type === 5) return people;
  if (item.type === 6) return listed(names.roles, "@");
  if (item.type === 7) return [...people, ...listed(names.roles, "@")];
  return listed(names.channels, "#").filter((option) => option.label !== "#");
}

function select(item, names, act) {
  const options = optionsOf(item, names);
  const chosen = new Set(options.filter((option) => option.default).map((option) => option.value));
  for (const value of item.default_values || []) chosen.add(String(value.id));
  const most = item.max_values ?? 1;
  const least = item.min_values ?? 1;
  const title = () => options.filter((option) => chosen.has(option.value)).map((option) => option.label).join(", ");
  const head = h("button", { type: "button", class: "select", disabled: item.disabled, "aria-expanded": "false", "data-custom-id": item.custom_id },
    title() || item.placeholder || "Choose one");
  const list = h("div", { class: "options", role: "listbox", hidden: true });
  const box = h("div", { class: "chooser" }, head, list);
  const close = () => { list.hidden = true; head.setAttribute("aria-expanded", "false"); };
  const send = () => { close(); act("select", { custom_id: item.custom_id, values: [...chosen] }, head); };
  const done = most > 1 ? h("button", { type: "button", class: "button primary done", onclick: send }, "Done") : null;
  for (const option of options) {
    const row = h("button", { type: "button", role: "option", class: "option", "data-value": option.value, "aria-selected": String(chosen.has(option.value)) },
      h("span", {}, [emoji(option.emoji), option.label].filter(Boolean).join(" ")), option.description ? h("small", {}, option.description) : null);
    row.addEventListener("click", () => {
      if (most > 1) {
        if (chosen.has(option.value)) chosen.delete(option.value);
        else if (chosen.size < most) chosen.add(option.value);
        row.setAttribute("aria-selected", String(chosen.has(option.value)));
        done.disabled = chosen.size < least;
      } else {
        chosen.clear();
        chosen.add(option.value);
        head.textContent = title();
        send();
      }
    });
    list.append(row);
  }
  if (done) { done.disabled = chosen.size < least; list.append(done); }
  head.addEventListener("click", () => {
    list.hidden = !list.hidden;
    head.setAttribute("aria-expanded", String(!list.hidden));
    if (!list.hidden) list.scrollIntoView({ block: "nearest" });
  });
  return box;
}

// ---------------------------------------------------------------- messages

function embed(item, names) {
  const box = h("div", { class: "container" });
  if (item.color !== undefined && item.color !== null) box.style.setProperty("--accent", "#" + item.color.toString(16).padStart(6, "0"));
  const text = (value, tag, name) => { const part = h(tag, { class: name }); part.append(markdown(value, names)); box.append(part); };
  if (item.author) box.append(h("p", { class: "subtext" }, item.author.name));
  if (item.title) text(item.title, "div", "embed-title");
  if (item.description) text(item.description, "div", "text");
  for (const field of item.fields || []) { text(field.name, "div", "embed-title small"); text(field.value, "div", "text"); }
  if (item.image) box.append(picture(item.image, ""));
  if (item.footer) box.append(h("p", { class: "subtext" }, item.footer.text));
  return box;
}

/** A colour of one's own for each name. */
export function hue(id) { return Number(BigInt(id) % 360n); }

/** One message as an article; ``act(kind, fields, button)`` sends what is done to it. */
export function messageElement(message, names, act) {
  const body = h("div", { class: "body" });
  const article = h("article", { class: "message", "data-id": message.id, "data-private": message.private ? "1" : null, "data-author": message.author.name });
  if (message.system) {
    article.classList.add("system");
    article.append(h("p", {}, h("b", {}, message.author.name), " opened “", message.content, "” ", shortTime(message.time)));
    return article;
  }
  if (message.private) article.classList.add("private");
  if (message.pings) article.classList.add("pings");
  const avatar = h("div", { class: "avatar", "aria-hidden": "true" }, message.author.name[0].toUpperCase());
  if (message.author.bot) avatar.classList.add("bot");
  else avatar.style.setProperty("--hue", hue(message.author.id));
  if (message.command && message.by) body.append(h("p", { class: "used" }, h("b", {}, message.by), " used ", h("span", { class: "mention" }, "/" + message.command)));
  body.append(h("header", {}, h("b", {}, message.author.name), message.author.bot ? h("span", { class: "badge" }, "BOT") : null, shortTime(message.time)));
  if (message.thinking) body.append(h("p", { class: "thinking" }, message.author.name + " is thinking…"));
  if (message.content) { const text = h("div", { class: "text" }); text.append(markdown(message.content, names)); body.append(text); }
  for (const item of message.embeds) body.append(embed(item, names));
  const placed = JSON.stringify(message.components);
  for (const item of message.attachments) {
    if (placed.includes(item.url)) continue;
    body.append((item.content_type || "").startsWith("image/") ? h("div", { class: "gallery" }, picture(item, item.description)) : file(item.url, item.filename, item.size));
  }
  body.append(...components(message.components, names, act));
  if (message.edited && !message.components.length) body.append(h("p", { class: "subtext" }, "(edited)"));
  if (message.reactions.length) body.append(h("p", { class: "reactions" }, ...message.reactions.map((one) => h("span", {}, `${emoji(one.emoji)} ${one.count}`))));
  if (message.private) {
    body.append(h("p", { class: "subtext" }, "Only you can see this · ",
      h("button", { type: "button", class: "plain", onclick: (event) => act("dismiss", {}, event.currentTarget) }, "Dismiss")));
  }
  article.append(avatar, body);
  return article;
}
