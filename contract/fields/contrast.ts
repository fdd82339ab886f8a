// Contrast of colours, so that letters on a chosen colour can be read. Pure, and runs in a browser.

/** Black or white. */
export type Letters = '#000000' | '#ffffff';

/** Returns the relative luminance of a colour `#rrggbb`, from 0 (black) to 1 (white): WCAG 2.2, relative luminance. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colours `#rrggbb`, from 1 to 21: WCAG 2.2, contrast ratio. Letters need 4.5. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the colour of letters on a colour `#rrggbb`: black or white, whichever has more contrast. It is at least 4.5. */
export const lettersOn = (colour: string): Letters =>
  contrastOf(colour, '#ffffff') > contrastOf(colour, '#000000') ? '#ffffff' : '#000000';
