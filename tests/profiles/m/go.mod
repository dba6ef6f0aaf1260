module m

go 1.27
