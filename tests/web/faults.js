// What a reader with a screen reader, a keyboard or weak eyes would miss: a list of faults.
() => {
    const faults = [];
    const seen = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
    const text = (e) => (e.getAttribute("aria-label") || e.textContent || "").trim();
    for (const e of document.querySelectorAll("button, a[href], select, textarea, input, [role=slider]")) {
        if (!seen(e)) continue;
        const label = e.labels && e.labels.length ? text(e.labels[0]) : "";
        if (!text(e) && !label) faults.push(`no name: ${e.outerHTML.slice(0, 80)}`);
        if (e.tabIndex > 0) faults.push(`order: ${e.outerHTML.slice(0, 80)}`);
        const box = e.getBoundingClientRect();
        if (e.tagName === "BUTTON" && (box.width < 16 || box.height < 16)) faults.push(`small: ${text(e)}`);
    }
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`twice: ${id}`);
    if (document.querySelectorAll("main").length !== 1) faults.push("not one main");
    if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
    if (!document.documentElement.lang) faults.push("no language");
    let level = 1;
    for (const e of document.querySelectorAll("h1, h2, h3, h4")) {
        const next = Number(e.tagName[1]);
        if (next > level + 1) faults.push(`heading jumps: ${text(e)}`);
        level = next;
    }
    for (const e of document.querySelectorAll("table")) {
        if (seen(e) && !e.querySelector("th[scope]")) faults.push("table without heads");
    }
    for (const e of document.querySelectorAll("canvas, svg")) {
        const named = e.getAttribute("aria-label") || e.getAttribute("aria-hidden");
        if (seen(e) && !named) faults.push(`picture without name: ${e.outerHTML.slice(0, 60)}`);
    }
    const light = (c) => {
        const [r, g, b] = c.match(/[\d.]+/g).map(Number).map((v) => {
            const s = v / 255;
            return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const c = getComputedStyle(e).backgroundColor;
            if (!/, 0\)$|transparent/.test(c)) return c;
        }
        return "rgb(255, 255, 255)";
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !seen(e) || e.closest("svg, option, :disabled, script")) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${e.textContent.slice(0, 40)}`);
    }
    if (document.documentElement.scrollWidth > window.innerWidth + 1) faults.push("wider than the screen");
    return [...new Set(faults)];
}
