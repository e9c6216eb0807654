/** Product news from 2009 to the spring of 2018. Format: see `parse` in drafts.ts. */
export const englishProductsB = `
2018-04-12 products/notice dial-indicator-d1-oil
Dial indicator D1: oil too thick below 12 °C
Instruments with serial numbers 17-5020 to 18-0130 can be slow in the cold. We clean and oil them again without charge.
The supplier had changed the oil and not its name. We now test each delivery at 5 °C, with a drop on a glass plate set at an angle.

2017-11-16 products/price price-list-2018
Price list 2018 as one booklet
Instruments, parts and calibration stand together on 64 pages. Prices rise by 1.5 per cent on average.
Until now there were three lists and sometimes three prices. In case of doubt the lowest one held, which was expensive.

2017-09-07 products/new measuring-stand-s4
Measuring stand S4 with granite column
A column of 80 by 80 mm, 400 mm high, stands on its own weight. Fine adjustment over 1 mm.
With an indicator of 0.001 mm, a stand of steel shows the lamp being switched on. This one needs twenty minutes to notice.

2017-05-11 products/parts calliper-points
Carbide points for callipers, fitted and lapped
Worn jaws of any calliper 150 to 300 made since 1990 can have points of carbide. The zero is set anew.
The points are brazed, ground and lapped closed against one another. Between them no light may be seen at 20 mm from the tip.

2016-11-10 products/new anniversary-calliper
A calliper like the first one
For the fiftieth anniversary we make 500 pieces of the calliper of 1966, on the old copying lathe, with a diamond-cut scale.
Two retired engravers came back for six weeks and taught four young ones how the diamond is held. The numbers on the scale are those of the first drawing, with the flat-topped three.

2016-06-16 products/notice gauge-block-case
Gauge block sets: cork inlay replaced
The inlay of sets sold between January and April 2016 can stain the blocks. Please take them out and ask for a new one.
Cork is bark, and bark holds acid. This one had been washed less than ordered. Stains come off with ethanol if it is done within weeks.

2016-02-18 products/data serial-number-archive
Every serial number since 1966 can be looked up
The books of fifty years have been copied: instrument, date, inspector’s mark, first customer’s country.
The earliest 9,000 entries are in pencil. Three school classes from Ängsholm read them twice; where the two readings differed, we looked ourselves.

2015-11-19 products/price price-list-2016
Price list 2016 in euro, kronor and złoty
The service in Łódź now invoices in złoty. Prices rise by 1.1 per cent on average.
Prices in yen follow in April, when the Tokyo office takes over its own stock.

2015-09-24 products/new setting-rings-steel
Setting rings from 3 to 100 mm
Rings for setting bore gauges, with the true diameter engraved on the face. Each comes with a certificate.
The bore is honed, then lapped in two directions. Its diameter may differ from the number by 2 µm; what it really is stands beside it to 0.1 µm.

2015-03-26 products/parts wooden-cases
Cases of wood for instruments that lost theirs
Fifteen patterns fit everything we have made since 1971. Please measure the instrument, not the old case.
An instrument without a case lives in a drawer, next to files. We see it at the next calibration.

2014-10-23 products/new micrometer-stand
Micrometer stand with a soft jaw
It holds frames from 25 to 300 mm at any angle and leaves both hands free for small parts.
The jaw is faced with oak, end grain outwards. We tried rubber, which creeps, and leather, which dries.

2014-06-05 products/notice calliper-300-beam
Calliper 300: straightness of the beam
Forty-two pieces with serial numbers 14-2201 to 14-2242 may be bent by 0.04 mm. We ask for all of them back.
They were straight when inspected and were bent by a pallet on the way to a distributor. Packaging for long instruments has been stiffened.

2013-11-14 products/price price-list-2014
Price list 2014
Prices rise by 1.6 per cent on average. For the first time the list is also printed in Japanese.
The Japanese list was set in Tokyo and proofread in Ängsholm by the one person who could.

2013-09-19 products/new dial-indicator-d1
Dial indicator D1 reading 0.001 mm
Travel of 1 mm, one turn for 0.2 mm. The train has four wheels and no play, held by a hair spring.
To show a micrometre, the plunger’s movement is magnified a thousand times. Dust in the third wheel shows as three micrometres, which is why the movement is sealed.

2013-04-11 products/data cable-for-two
Foot switch and cable for two instruments
Two indicators with contact report at the same moment, as run-out measurements need it.
The signal is a pair of contacts, 24 volts, and can be wired by any electrician. A drawing is in the box.

2012-11-15 products/price price-list-2013
Price list 2013 and a smaller catalogue
We leave out 140 order numbers of which fewer than three a year were sold. Prices rise by 2 per cent on average.
What is left out can still be ordered as a single piece, made from the old drawing, at the price of the time it takes.

2012-09-13 products/new scale-with-lens
Reading lens for scales, twofold, without parallax
It clips over the vernier of any calliper since 1981 and is ground flat on the side of the scale.
We made it for one customer, a museum that measures medals. It has since been ordered by nine others, all above fifty by their own account.

2012-05-24 products/notice m2-frames-paint
Micrometer M2: paint of the frame
On instruments from February to April 2012 the paint comes off with some cutting fluids. The measurement is not affected.
We strip and paint the frame again and calibrate the instrument in the same visit. It takes ten working days.

2012-02-09 products/parts ratchets-in-threes
Ratchets for micrometers in packs of three
The part that is exchanged most often is no longer sold one by one. Three cost as much as two did.
A ratchet lasts about 400,000 turns. In a shop with twenty micrometers that is one a year.

2011-10-20 products/new height-gauge-h4-600
Height gauge H4 now up to 600 mm
A taller column, the same base. Deviation over the full height at most 0.04 mm.
Two hundred millimetres more of column weigh 1.3 kg. The counterweight runs inside, on two bearings, so that the slide stays where it is left.

2011-05-12 products/data certificate-archive-cd
Certificates of one year on one disc
Customers with more than fifty instruments can have all certificates of a year as files, sorted by serial number.
The disc costs nothing. Whoever prefers paper keeps getting paper.

2010-11-18 products/price price-list-2011
Price list 2011 after two years without one
Prices rise by 2.8 per cent on average. The list of 2009 has held for longer than any before.
We put the change off until the order book was back at eight weeks. It has been since September.

2010-09-30 products/new blocks-carbide
Gauge blocks of tungsten carbide for daily use
They wear about a fortieth as fast as steel and are meant for the ends of a stack. Twelve sizes from 1 to 25 mm.
Carbide expands only a third as much as steel. In a warm shop that must be reckoned with; the sheet in the case says how.

2010-03-25 products/parts m2-service-kit
Service kit for the M2: what a tool store needs
Nut key, felt, oil, two springs and a sheet with six drawings. For those who wish to adjust their own instruments.
We sell fewer repairs because of it and have decided that this is all right.

2009-11-12 products/parts dial-calliper-ended
The dial calliper leaves the catalogue
After 23 years we no longer make it. Repairs and parts remain available until the end of 2024.
Chips get into the rack, and no seal that we tried kept them out for long. We would rather sell an instrument that we do not see again every year.

2009-05-14 products/notice h4-instructions
Height gauge H4: corrected instructions
Page 7 of the instructions gives the setting of the scriber on the wrong side. The new sheet is enclosed and can be printed.
A fitter in Kraków found it, by following what the page said. We have sent him a gauge block.
`;
