// Returns the texts on the page whose contrast with what is behind them is below that of WCAG 2.1 AA (4.5 to 1).
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function rgba(color) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

function over(top, bottom) {
  const alpha = top[3];
  return [0, 1, 2].map((channel) => top[channel] * alpha + bottom[channel] * (1 - alpha)).concat(1);
}

function ground(element) {
  if (!element) {
    return [255, 255, 255, 1];
  }
  const color = rgba(getComputedStyle(element).backgroundColor);
  return color[3] === 1 ? color : over(color, ground(element.parentElement));
}

function luminance(color) {
  const [red, green, blue] = color.slice(0, 3).map((channel) => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const box = element.getBoundingClientRect();
  if (walker.currentNode.textContent.trim() === "" || box.width <= 1 || !element.checkVisibility()) {
    continue;
  }
  const behind = ground(element);
  const text = over(rgba(getComputedStyle(element).color), behind);
  const [dark, light] = [luminance(text), luminance(behind)].sort((left, right) => left - right);
  const contrast = (light + 0.05) / (dark + 0.05);
  if (contrast < 4.5) {
    poor.push(`${contrast.toFixed(2)}: ${element.tagName} ${element.className} "${walker.currentNode.textContent.trim()}"`);
  }
}
return poor;
