(function () {
  "use strict";
  document.documentElement.classList.add("script");
  copyButtons();
  unfoldForPrint();
  var source = document.getElementById("fronts-data");
  if (!source) return;
  var data = JSON.parse(source.textContent);
  var W = data.columns, H = data.rows;
  var FIRST = [29, 79, 145], SECOND = [160, 62, 34], NOBODY = 255;
  var ground = document.getElementById("ground");
  var canvases = Array.prototype.slice.call(document.querySelectorAll("canvas[data-map]"));
  var slider = document.getElementById("hour"), now = document.getElementById("now");
  var playing = null, cache = {};

  function copyButtons() {
    if (!navigator.clipboard) return;
    document.querySelectorAll(".copy").forEach(function (box) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", function () {
        navigator.clipboard.writeText(box.querySelector("code").textContent).then(function () {
          button.textContent = "Copied";
          setTimeout(function () { button.textContent = "Copy"; }, 1500);
        });
      });
      box.appendChild(button);
    });
  }

  // On paper nothing can be unfolded.
  function unfoldForPrint() {
    var folded = [];
    addEventListener("beforeprint", function () {
      folded = Array.prototype.slice.call(document.querySelectorAll("details:not([open])"));
      folded.forEach(function (box) { box.open = true; });
    });
    addEventListener("afterprint", function () {
      folded.forEach(function (box) { box.open = false; });
    });
  }

  // Runs of equal bytes, as pairs of length and byte.
  function unpack(text) {
    if (!text) return null;
    var packed = atob(text), cells = new Uint8Array(W * H), at = 0;
    for (var i = 0; i + 1 < packed.length; i += 2) {
      var end = at + packed.charCodeAt(i);
      cells.fill(packed.charCodeAt(i + 1), at, end);
      at = end;
    }
    return cells;
  }

  function cells(map, hour) {
    var key = map + "/" + hour;
    if (!(key in cache)) {
      var fronts = map === "h" ? data.past : data.played[+map];
      cache[key] = fronts ? unpack(fronts[hour]) : null;
    }
    return cache[key];
  }

  function sheet(width, height) {
    var canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    return canvas;
  }

  // The ground of one army as a soft shade: the surer, the darker.
  function shade(cells, first) {
    var canvas = sheet(W, H), pen = canvas.getContext("2d"), image = pen.createImageData(W, H);
    var hue = first ? FIRST : SECOND;
    for (var i = 0; i < cells.length; i++) {
      var p = cells[i] / 254, sure = first ? p : 1 - p;
      var alpha = cells[i] === NOBODY || sure < 0.5 ? 0 : 0.08 + (sure - 0.5) * 0.84;
      image.data.set([hue[0], hue[1], hue[2], Math.round(alpha * 255)], i * 4);
    }
    pen.putImageData(image, 0, 0);
    return canvas;
  }

  var stripes = (function () {
    var canvas = sheet(12, 12), pen = canvas.getContext("2d");
    pen.strokeStyle = "#6d2410";
    pen.lineWidth = 2.2;
    [-12, 0, 12].forEach(function (x) {
      pen.beginPath();
      pen.moveTo(x - 2, 14);
      pen.lineTo(x + 14, -2);
      pen.stroke();
    });
    return canvas;
  })();

  // Where either army is as likely: marching squares between the middles of cells.
  function line(cells) {
    var parts = [];
    if (!cells) return parts;
    for (var r = 0; r + 1 < H; r++) {
      for (var c = 0; c + 1 < W; c++) {
        var v = [cells[r * W + c], cells[r * W + c + 1], cells[(r + 1) * W + c + 1], cells[(r + 1) * W + c]];
        if (v.indexOf(NOBODY) >= 0) continue;
        var at = [];
        for (var s = 0; s < 4; s++) {
          var a = v[s] - 127, b = v[(s + 1) % 4] - 127;
          if (a > 0 === b > 0) continue;
          var t = a / (a - b), x = [t, 1, 1 - t, 0][s], y = [0, t, 1, 1 - t][s];
          at.push([c + 0.5 + x, r + 0.5 + y]);
        }
        for (var k = 0; k + 1 < at.length; k += 2) parts.push([at[k], at[k + 1]]);
      }
    }
    return chain(parts);
  }

  // Joins pieces end to end, so that dashes run on.
  function chain(parts) {
    var ends = {}, used = [], lines = [];
    function key(p) { return Math.round(p[0] * 50) + "," + Math.round(p[1] * 50); }
    parts.forEach(function (part, i) {
      part.forEach(function (p) { (ends[key(p)] = ends[key(p)] || []).push(i); });
    });
    function next(p) {
      var found = (ends[key(p)] || []).filter(function (i) { return !used[i]; })[0];
      if (found === undefined) return null;
      used[found] = true;
      var part = parts[found];
      return key(part[0]) === key(p) ? part[1] : part[0];
    }
    parts.forEach(function (part, i) {
      if (used[i]) return;
      used[i] = true;
      var way = [part[0], part[1]], p;
      while ((p = next(way[way.length - 1]))) way.push(p);
      while ((p = next(way[0]))) way.unshift(p);
      lines.push(way);
    });
    return lines;
  }

  function draw(pen, lines, k, style) {
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    pen.setLineDash(style.dash || []);
    pen.lineWidth = style.width;
    pen.strokeStyle = style.colour;
    lines.forEach(function (way) {
      pen.beginPath();
      way.forEach(function (p, i) { pen[i ? "lineTo" : "moveTo"](p[0] * k, p[1] * k); });
      pen.stroke();
    });
    pen.restore();
  }

  function names(pen, k, width) {
    var taken = [];
    pen.font = "600 23px 'Segoe UI','Helvetica Neue',Arial,sans-serif";
    pen.lineJoin = "round";
    data.names.forEach(function (name) {
      var x = name[1] * k, y = name[2] * k, w = pen.measureText(name[0]).width;
      var left = x + 9 + w > width - 4 ? x - 9 - w : x + 9;
      var box = [left - 26, y - 26, left + w + 26, y + 26];
      var free = taken.every(function (b) { return box[2] < b[0] || box[0] > b[2] || box[3] < b[1] || box[1] > b[3]; });
      if (!free || taken.length > 11 || x < 12 || y < 18 || x > width - 12 || y > H * k - 18) return;
      taken.push(box);
      pen.fillStyle = "#14110f";
      pen.fillRect(x - 4, y - 4, 8, 8);
      pen.strokeStyle = "rgba(255,253,246,.88)";
      pen.lineWidth = 6;
      pen.strokeText(name[0], left, y + 8);
      pen.fillText(name[0], left, y + 8);
    });
  }

  function paint(canvas, hour) {
    var pen = canvas.getContext("2d"), width = canvas.width, height = canvas.height, k = width / W;
    var map = canvas.dataset.map, here = cells(map, hour);
    pen.globalAlpha = 1;
    pen.fillStyle = "#fffdf6";
    pen.fillRect(0, 0, width, height);
    pen.globalAlpha = 0.62;
    if (ground.complete && ground.naturalWidth) pen.drawImage(ground, 0, 0, width, height);
    pen.globalAlpha = 1;
    pen.imageSmoothingEnabled = true;
    if (here) {
      pen.drawImage(shade(here, true), 0, 0, width, height);
      var second = shade(here, false), veil = sheet(width, height), over = veil.getContext("2d");
      pen.drawImage(second, 0, 0, width, height);
      over.drawImage(second, 0, 0, width, height);
      over.globalCompositeOperation = "source-in";
      over.fillStyle = over.createPattern(stripes, "repeat");
      over.fillRect(0, 0, width, height);
      pen.drawImage(veil, 0, 0);
    }
    var past = line(cells("h", hour));
    if (map !== "h" && here) {
      var front = line(here);
      draw(pen, front, k, { width: 10, colour: "rgba(255,253,246,.9)" });
      draw(pen, front, k, { width: 6, colour: "#14110f" });
    }
    draw(pen, past, k, { width: 7, colour: "rgba(255,253,246,.75)" });
    draw(pen, past, k, { width: 3.6, colour: "#14110f", dash: [13, 9] });
    names(pen, k, width);
    if (!here) note(pen, width, height, (map === "h" ? "not recorded" : "not played") + " at this hour");
  }

  function note(pen, width, height, words) {
    pen.fillStyle = "rgba(255,253,246,.75)";
    pen.fillRect(0, height / 2 - 36, width, 72);
    pen.fillStyle = "#14110f";
    pen.font = "600 30px 'Segoe UI','Helvetica Neue',Arial,sans-serif";
    pen.textAlign = "center";
    pen.fillText(words, width / 2, height / 2 + 10);
    pen.textAlign = "start";
  }

  function show(hour) {
    hour = Math.max(0, Math.min(data.hours.length - 1, hour));
    slider.value = hour;
    slider.setAttribute("aria-valuetext", data.hours[hour] || "");
    now.textContent = data.hours[hour] || "";
    document.querySelectorAll(".showing").forEach(function (out) { out.textContent = data.hours[hour] || ""; });
    canvases.forEach(function (canvas) { paint(canvas, hour); });
    document.querySelectorAll(".stand").forEach(function (group) {
      group.classList.toggle("now", +group.getAttribute("data-hour") === hour);
    });
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    document.getElementById("play").textContent = "▶ Play";
  }

  function play() {
    if (playing) return stop();
    if (+slider.value >= data.hours.length - 1) show(0);
    document.getElementById("play").textContent = "❚❚ Stop";
    playing = setInterval(function () {
      if (+slider.value >= data.hours.length - 1) return stop();
      show(+slider.value + 1);
    }, 900);
  }

  slider.addEventListener("input", function () { stop(); show(+slider.value); });
  document.getElementById("back").addEventListener("click", function () { stop(); show(+slider.value - 1); });
  document.getElementById("forth").addEventListener("click", function () { stop(); show(+slider.value + 1); });
  document.getElementById("play").addEventListener("click", play);
  document.querySelectorAll("[data-step]").forEach(function (button) {
    button.addEventListener("click", function () { stop(); show(+slider.value + +button.getAttribute("data-step")); });
  });
  document.getElementById("clock").addEventListener("keydown", function (event) {
    var by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.target === slider) return;
    event.preventDefault();
    stop();
    show(+slider.value + by);
  });
  function begin() { show(data.start); }
  if (ground.complete) begin(); else { ground.addEventListener("load", begin); ground.addEventListener("error", begin); }
})();
